"""Define the measures of seriation."""

MEASURES = {"order": "rank correlation of the places found with the true ones, without its sign"}
