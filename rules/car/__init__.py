"""What follows about weather, navigation and appointments in a car."""
