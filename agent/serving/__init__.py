"""The receptionist behind a port: sessions that last, and interfaces that clients already speak."""
