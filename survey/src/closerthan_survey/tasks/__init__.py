"""The tasks of the survey: held-out answers of people, and odd ones out."""
