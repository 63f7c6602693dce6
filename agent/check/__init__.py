"""``frontdesk check``: how faithful given replies are to given knowledge."""
