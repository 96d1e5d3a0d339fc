"""Odd ones out: models predict which of three objects people leave out."""
