"""Turn the answers to the questions of an experiment into comparisons, and back.

Each function turns the answers to one form of question into `Answers`. If nothing is lost, another
function turns them back. A screen weighs as many bits as its answer can carry: log2 of the number
of possible answers, without "neither". Its comparisons share this weight equally, so no form
outweighs another because it is written as more rows.
"""
