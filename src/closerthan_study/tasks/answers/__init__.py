"""Answers: any model of comparisons, fitted to some of the answers and judged by the others."""
