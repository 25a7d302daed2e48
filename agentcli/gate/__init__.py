"""May this call run? Every rule gives a verdict and the strictest wins. Pure."""
