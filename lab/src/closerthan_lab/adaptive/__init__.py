"""Adaptive selection of questions (anchor, first, second): which is closer to the anchor?"""

from closerthan_lab.adaptive.gains import crowd_kernel_gain, information_gain, spread_over_anchors
from closerthan_lab.adaptive.numbers import number_questions, questions_of
from closerthan_lab.adaptive.questions import STRATEGIES, AdaptiveQuestions

__all__ = [
    "STRATEGIES",
    "AdaptiveQuestions",
    "crowd_kernel_gain",
    "information_gain",
    "number_questions",
    "questions_of",
    "spread_over_anchors",
]
