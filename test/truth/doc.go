// Package truth computes the right figures about an invented fleet. It implements docs/rules.md a second time, and
// docs/figures.md, from the event log of the package world: the true ledger (for every billed line, the slot-seconds
// that it paid for and why, as exact rationals), and the figures from it (runs, lives, inference, waste, advice,
// packing, levels).
//
// It is an independent reading of the rules and shares no code with ingest, the catalogue, allocation, metrics or SQL:
// it is the oracle that they are tested against. Only tests import it, and fleetsim never does.
//
// It guarantees that the postings of a charge add up to the charge exactly. It holds all rows of all days in memory, so
// it is only for tests.
package truth
