// Package packing says how well the slices of MIG cards are used and how few
// cards would do: the fragmentation index of a layout, the fragmentation
// gradient measure of a cluster, and the fewest cards that hold a demand
// (docs/figures.md, section 17).
//
// It counts in slices and millionths, never in floats. What fits on a card is
// internal/catalog/mig's business; what was held when is the caller's. It does
// no I/O, and equal input gives equal output.
package packing
