"""A rank model of psiz in the court, as in its example `mle_1g.py`, for choices of one of two."""

import json
import os
import time
from pathlib import Path

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"

import keras
import numpy as np
import psiz

settings = json.loads(Path("settings.json").read_text())
keras.utils.set_random_seed(settings["seed"] % 2**31)


class RankModel(keras.Model):
    """The probabilities that the second object, or the third, is chosen as nearer to the first."""

    def __init__(self):
        super().__init__()
        small = keras.initializers.RandomNormal(stddev=0.0001)
        n, p = settings["n_objects"], settings["n_components"]
        constant = keras.initializers.Constant
        self.percept = keras.layers.Embedding(
            n + 1, p, embeddings_initializer=small, mask_zero=True
        )
        self.proximity = psiz.keras.layers.Minkowski(
            rho_initializer=constant(2.0),
            w_initializer=constant(1.0),
            activation=psiz.keras.layers.ExponentialSimilarity(
                trainable=False,
                beta_initializer=constant(10.0),
                tau_initializer=constant(1.0),
                gamma_initializer=constant(0.001),
            ),
            trainable=False,
        )
        self.rank = psiz.keras.layers.SoftRank(n_select=1, trainable=False)

    def call(self, inputs):
        query, others = keras.ops.split(self.percept(inputs), [1], 1)
        return self.rank(self.proximity([query, others]))


class OutOfTime(keras.callbacks.Callback):
    """Stop after an epoch that leaves too little time."""

    def on_epoch_end(self, epoch, logs=None):
        late = time.process_time() > 0.7 * settings["seconds"]
        self.model.stop_training = self.model.stop_training or late


def objects(file):
    return np.loadtxt(file, delimiter=",", skiprows=1, ndmin=2)[:, :3].astype("int32") + 1


train = np.random.default_rng(settings["seed"]).permutation(objects("train.csv"))
chosen = np.tile([1.0, 0.0], (len(train), 1))
n_held = max(1, len(train) // 10)
model = RankModel()
model.compile(
    loss=keras.losses.CategoricalCrossentropy(),
    optimizer=keras.optimizers.Adam(learning_rate=settings["learning_rate"]),
)
stop = keras.callbacks.EarlyStopping("val_loss", patience=10, restore_best_weights=True)
model.fit(
    train[n_held:],
    chosen[n_held:],
    validation_data=(train[:n_held], chosen[:n_held]),
    batch_size=512,
    epochs=1000,
    callbacks=[stop, OutOfTime()],
    verbose=0,
)
np.savetxt("points.csv", np.asarray(model.percept.embeddings)[1:], delimiter=",")
shares = model.predict(objects("questions.csv"), batch_size=512, verbose=0)[:, 0]
np.savetxt("probabilities.csv", np.clip(shares, 0, 1))
