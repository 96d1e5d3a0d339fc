"""Seriation: objects put in order along a line."""
