"""Random worlds driven through the real engine: models, persons, other processes and deaths, drawn from a seed."""
