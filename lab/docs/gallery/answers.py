"""How many answers do I need?

Simulated people answer about 20 objects, and one answer in ten is wrong. The figure shows the error on new answers and
the distance to the truth, each with the range of 80 % of the trials. It tells how many answers to pay for.
"""

from closerthan_lab.commands.simulate import simulate

plan = simulate(20, noise=0.1, n_answers=[100, 200, 400, 800, 1600], repeats=10)

figure = plan.plot()[0].figure
figure.savefig("answers.png", dpi=110)
