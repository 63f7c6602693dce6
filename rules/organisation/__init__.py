"""What follows about an organisation's calendar, people and rooms."""
