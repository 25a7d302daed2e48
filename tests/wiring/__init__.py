"""Which concrete classes are picked, and sessions as programs and terminals use them."""
