// Package spot values spot machines: the on-demand cost of their hours, and the machines that were taken away.
//
// It owns the on-demand rate of a spot machine's hour (docs/figures.md, 15.4), the definition of a spot interruption
// (20.1) and the assumed time to write a checkpoint (20.4). It is pure and exact: decimals and whole seconds. The cost
// of machines and interruptions is in the ledger; the interval between checkpoints follows from groups of them
// (report.spot).
package spot
