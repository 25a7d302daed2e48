"""The self-test: known attacks on the question, played through the real screen on a terminal that nobody sees."""
