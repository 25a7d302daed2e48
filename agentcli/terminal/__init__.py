"""What a person sees and answers: lines, the question, the screen, and plain text where there is no terminal."""
