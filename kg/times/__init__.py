"""Times in English: one grammar, text to readings with probabilities.

``time_words`` gives each word one spelling and remembers where it stood, ``time_grammar`` finds the
expressions. What one means is said by ``time_clocks`` (clock times and zones), ``time_days`` and
``time_stretches`` (days; weeks, months and lengths); ``time_fills`` puts it into slots.

``time_reader`` goes through the expressions of an utterance with its alternatives and corrections,
and ``time_readings`` gives what it says as a whole of something to be arranged: several readings
with probabilities. ``time_mentions`` reads each expression of a text by itself: the times that a
question or a reply speaks of, each with its place in the text and the window that its most probable
reading is. ``time_spans`` reads what is known to be a time and no more, as a parser's spans are, as
windows with probabilities.
"""
