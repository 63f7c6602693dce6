"""Settings, their reference, and the thresholds of the checks."""
