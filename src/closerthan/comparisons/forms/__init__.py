"""What people are asked, and the comparisons that follow from an answer.

People are rarely asked for triplets. They pick the odd one out, choose some of a grid, rank, or say
"neither". Each function here turns the answers to one form of question into `Answers`, in which
every comparison knows its screen, and where nothing is lost another turns them back.

A screen weighs as much as its answer says: log2 of the number of answers that it allowed, in bits,
shared equally by its comparisons. So an answer to "is i closer to j or to k" weighs 1, the two
triplets of an odd one out together log2(3), the 28 of a ranking of eight log2(8!), and no form
outweighs another by being written as more rows. A loss of which the comparisons are thought to be
independent of each other, as every one here, takes the weights as `sample_weight`. They do not make
the comparisons of a screen independent: keep them together in a split, as
`closerthan.comparisons.split` does.
"""
