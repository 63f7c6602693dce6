"""Answers and checks of the car."""
