"""Tests of `linpoint.verify`."""
