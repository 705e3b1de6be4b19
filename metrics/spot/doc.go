// Package spot says what spot machines are worth: what their hours would have
// cost on demand, which of them were taken away, and how often a job on them
// should write a checkpoint.
//
// It owns the on-demand rate of a spot machine's hour (docs/figures.md, 15.4),
// what a spot interruption is (20.1) and the advice of Young and Daly (20.4). It
// is pure and exact: decimals, whole seconds, and one square root in integers,
// rounded down to the millisecond. What machines and interruptions cost is in
// the ledger.
package spot
