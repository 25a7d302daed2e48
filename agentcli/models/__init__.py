"""Who proposes calls: Claude over the wire, rules without a network, and replies from a script."""
