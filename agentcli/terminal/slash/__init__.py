"""What a person types behind a slash, and what it shows."""
