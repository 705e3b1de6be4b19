// Package spot says what spot machines are worth: what their hours would have
// cost on demand, and which of them were taken away.
//
// It owns the on-demand rate of a spot machine's hour (docs/figures.md, 15.4),
// what a spot interruption is (20.1) and what a checkpoint is taken to cost (20.4).
// It is pure and exact: decimals and whole seconds. What machines and interruptions
// cost is in the ledger; how often to write a checkpoint follows from groups of them
// (report.spot).
package spot
