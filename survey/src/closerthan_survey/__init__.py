"""Studies that no paper of the study names: their tasks, figures and the court."""
