"""Simulated visitors: people with errands who talk with a receptionist, and what came of it.

A visitor has a task (:mod:`~frontdesk.data.invented.visitors.tasks`), talks and reacts to what the
receptionist really says (:mod:`~frontdesk.data.invented.visitors.visitor`), and the result is
judged by the calendar and by what was told (:mod:`~frontdesk.data.invented.visitors.judge`), never
by what the receptionist claims. After the agenda-based users of Schatzmann et al. (2007).
"""
