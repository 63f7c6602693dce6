"""Acting: what a user wants done to the calendar, from understanding it to having done it.

understand → update the pending action → decide by rules → do → say.
"""
