"""What scores of seriation measure."""

MEASURES = {"order": "rank correlation of the places found with the true ones, without its sign"}
