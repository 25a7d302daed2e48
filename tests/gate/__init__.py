"""Tests of the gate: may this call run?"""
