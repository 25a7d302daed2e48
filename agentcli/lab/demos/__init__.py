"""The demos that ship, a TOML file each."""
