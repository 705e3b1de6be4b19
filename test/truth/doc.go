// Package truth says what the right figures about an invented fleet are. It reads
// docs/rules.md a second time, and docs/figures.md, from the event
// log of the package world: the true ledger (for every billed line, which slot-seconds it paid
// for and why, as exact rationals), and what is made of it (runs, lives,
// inference, waste, advice, packing, levels).
//
// It owns a reading of the rules of its own and shares no code with ingest, the
// catalogue, allocation, metrics or SQL: it is the oracle that they are tested
// against. Only tests import it, and fleetsim never does.
//
// It guarantees that the postings of a charge add up to the charge exactly. It
// holds all rows of all days in memory, and refuses to be anything but for tests.
package truth
