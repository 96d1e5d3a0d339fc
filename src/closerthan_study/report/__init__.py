"""The parts of the reports station."""
