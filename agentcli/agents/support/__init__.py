"""The support agent: customers, their orders, refunds, and cases for a person."""
