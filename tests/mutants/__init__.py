"""Mutants: would a test notice if a line of the Rust inside were wrong?"""
