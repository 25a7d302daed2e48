"""agentcli: a terminal agent whose tools are gated by code, not by the prompt."""
