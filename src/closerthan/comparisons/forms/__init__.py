"""Turn the answers to the questions of an experiment into comparisons, and back.

People are rarely asked for triplets. They pick the odd one out, choose some objects of a grid, rank
objects, or say "neither". Each function here turns the answers to one form of question into
`Answers`, where every comparison knows its screen. If nothing is lost, another function turns them
back.

A screen weighs as many bits as its answer can carry: log2 of the number of possible answers. Its
comparisons share this weight equally. An answer to "is i closer to j or to k?" weighs 1, the two
triplets of an odd one out together log2(3), and the 28 triplets of a ranking of eight log2(8!). No
form outweighs another because it is written as more rows. The losses here treat comparisons as
independent, and take the weights as `sample_weight`. The weights do not make the comparisons of a
screen independent: keep them together in a split, as `closerthan.comparisons.split` does.
"""
