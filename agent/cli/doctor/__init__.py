"""``frontdesk doctor``: whether everything that serving needs is there, and what to do if not."""
