"""Differences between people: weights of the dimensions for each of them, and a test."""

from closerthan_lab.people.differences import Differences, differences_test
from closerthan_lab.people.people_embedding import PeopleEmbedding

__all__ = ["Differences", "PeopleEmbedding", "differences_test"]
