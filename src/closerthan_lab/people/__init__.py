"""Differences between people: weights of the dimensions for each of them, and a test.

`PeopleEmbedding` fits shared points and weights. `differences_test` tests whether people, or two
groups of them, differ.
"""

from closerthan_lab.people.differences import Differences, differences_test
from closerthan_lab.people.people_embedding import PeopleEmbedding

__all__ = ["Differences", "PeopleEmbedding", "differences_test"]
