"""Error over the number of answers

What a study of 20 objects will bring, by simulated people who err in one case of ten: the error on new answers and
the distance to the truth, with the range of 80 % of the trials. It tells how many answers to pay for.
"""

from closerthan.commands.simulate import simulate

plan = simulate(20, noise=0.1, n_answers=[100, 200, 400, 800, 1600], repeats=10)

figure = plan.plot()[0].figure
figure.savefig("answers.png", dpi=110)
