"""The self-test: each attack is beaten by the real screen, and achieves something against a weak one."""
