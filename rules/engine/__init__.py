"""ProbLog: programs, goals, the prover and its process, proofs."""
