% A library. Stored: written_by(Book, Author), stands_on(Book, Shelf), on_loan_to(Book, Reader).

away(B, R) :- on_loan_to(B, R).
on_shelf(B) :- stands_on(B, _), \+ on_loan_to(B, _).
wrote(A, B) :- written_by(B, A).
borrowed(R, B) :- on_loan_to(B, R).
holds(S, B) :- stands_on(B, S), \+ on_loan_to(B, _).
