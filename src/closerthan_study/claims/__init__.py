"""Judge the claims of the papers by a program.

    cases       a claim's entries, spelled out: every loss, noise, k, contender and opponent
    effects     values, effects and intervals of a case over trials
    outcomes    the outcomes of parts and the verdicts of claims
    verdicts    which parts of a claim are met, and the verdict
    sentences   the verdict in words
    scoreboard  all claims of all papers, from the scores of a run

`closerthan_study.spec.claims` has the keys of claims.
"""
