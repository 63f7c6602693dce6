"""A library: what its books are, where they stand and who has them."""

from __future__ import annotations

from frontdesk.kg.graph.entities import Type
from frontdesk.kg.graph.schema import Predicate, Schema

BOOK, SHELF, AUTHOR, READER, BOOKS = map(Type, ("book", "shelf", "author", "reader", "books"))

ROWS = (
    Predicate("written_by", (BOOK, AUTHOR), "{0} is by {1}.",
              ("Who wrote the book?", "Who is the author of the book?"),
              ("who wrote", "author", "written", "wrote")),
    Predicate("stands_on", (BOOK, SHELF), "{0} stands on {1}.",
              ("Where is the book?", "Which shelf is the book on?"),
              ("where", "which shelf", "shelf", "find", "stand", "stands")),
    Predicate("on_loan_to", (BOOK, READER), "{0} is on loan to {1}.",
              ("Who has the book?", "Who borrowed the book?"),
              ("who has", "borrowed", "on loan", "loan", "lent")),
    Predicate("pages", (BOOK, Type.NUMBER), "{0} has {1} pages.",
              ("How many pages does the book have?", "How long is the book?"),
              ("pages", "how long", "thick")),
    Predicate("on_shelf", (BOOK,), "{0} is on its shelf.",
              ("Is the book available?", "Can I borrow the book?"),
              ("available", "borrow", "in", "there", "free"), derived=True, polarity=1),
    Predicate("away", (BOOK, READER), "{0} is away: {1} has it.",
              ("Is the book available?", "Can I borrow the book?"),
              ("available", "borrow", "in", "there", "free"), derived=True, polarity=-1),
    Predicate("wrote", (AUTHOR, BOOKS), "{0} wrote {1}.",
              ("Which books did the author write?", "What has the author written?"),
              ("books", "written", "write", "wrote", "which books"), derived=True),
    Predicate("borrowed", (READER, BOOKS), "{0} has {1}.",
              ("Which books does the reader have?", "What has the reader borrowed?"),
              ("books", "borrowed", "which books", "what"), derived=True),
    Predicate("holds", (SHELF, BOOKS), "{0} holds {1}.",
              ("Which books are on the shelf?", "What is on the shelf?"),
              ("what", "which books", "books", "on"), derived=True))

LIBRARY = Schema("library", {row.name: row for row in ROWS}, plurals={BOOKS: BOOK},
                 answer_types={"who": frozenset({AUTHOR, READER}), "where": frozenset({SHELF}),
                               "how much": frozenset({Type.NUMBER})})
