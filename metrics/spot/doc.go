// Package spot says what spot machines are worth: which of them were taken
// away, and how often a job on them should write a checkpoint.
//
// It owns what a spot interruption is (docs/figures.md, 20.1) and the advice of
// Young and Daly (20.4). It is pure and exact: whole seconds, and one square
// root in integers, rounded down to the millisecond. It knows no money; what
// interruptions cost is in the ledger.
package spot
