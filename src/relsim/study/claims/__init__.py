"""What the papers claim in words, judged by a program.

    cases       a claim's checks, spelled out: every loss, noise, k, contender and opponent
    effects     what the trials say of a case: values, effects and their interval
    verdicts    whether a claim reproduces, from the outcomes of its cases
    evidence    the same in words and numbers
    scoreboard  all claims of all papers, from the scores of a run

What a claim may say is in `relsim.study.spec.claims`.
"""
