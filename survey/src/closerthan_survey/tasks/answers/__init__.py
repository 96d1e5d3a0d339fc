"""Held-out answers: models are fitted to training answers and predict the other answers."""
