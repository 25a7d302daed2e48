"""Commands by which a person decides: `approvals`, `undo`."""
