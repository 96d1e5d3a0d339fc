"""What the papers claim in words, judged by a program.

    cases       a claim's entries, spelled out: every loss, noise, k, contender and opponent
    effects     what the trials say of a case: values, effects and their interval
    outcomes    what may come of a part and of a claim
    verdicts    which parts of a claim are met, and what that makes of the claim
    sentences   the same in words
    scoreboard  all claims of all papers, from the scores of a run

What a claim may say is in `closerthan_study.spec.claims`.
"""
