"""Texts of any kind: everything that Unicode has, and what looks like what replies are made of."""

from __future__ import annotations

from hypothesis import strategies as st

_PIECES = ("Ada Berg", "ada", "Zeta", "the", "Where", "is", "'s", "’re", "14:30", "2 pm",
           "2:30 p.m.", "21 March", "3rd", "007", "70", "°F", "ada@example.org", "555-0101", ".",
           "?", ",", "-", '"', "(", "“", "…", "<pad>", "<end>", "<unknown>", "[KNOWLEDGE]", "\x00",
           "\x1b[2J", "\u202e", "\ud800", "é", "e\u0301", "İ", "\u0131", "ß", "你好",
           "👩‍👩‍👧‍👦", "_", " ", "\n")

texts = st.one_of(st.text(max_size=40),
                  st.lists(st.sampled_from(_PIECES), max_size=12).map(" ".join),
                  st.lists(st.sampled_from(_PIECES), max_size=12).map("".join))
