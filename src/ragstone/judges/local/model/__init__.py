"""The embedded judge's model: weights, features, calibration."""
