"""What to ask next: the questions whose answers will say the most about where objects are.

A question is (head, first, second): which of the two is the head closer to? Its answer is a
triplet, (head, nearer, farther).
"""

from closerthan.adaptive.gains import crowd_kernel_gain, information_gain, spread_over_heads
from closerthan.adaptive.numbers import number_questions, questions_of
from closerthan.adaptive.questions import STRATEGIES, AdaptiveQuestions

__all__ = [
    "STRATEGIES",
    "AdaptiveQuestions",
    "crowd_kernel_gain",
    "information_gain",
    "number_questions",
    "questions_of",
    "spread_over_heads",
]
