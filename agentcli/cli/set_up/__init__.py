"""Commands around all others: `config`, `doctor`, `selftest`, `completion`, `drain`."""
