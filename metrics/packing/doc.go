// Package packing measures how well the slices of MIG cards are used and how few cards would be enough: the
// fragmentation index of a layout, the fragmentation gradient measure of a cluster, and the fewest cards that hold a
// demand (docs/figures.md, section 17).
//
// It counts in slices and millionths, never in floats. internal/catalog/mig decides what fits on a card; the caller
// supplies the holds and their times. It does no I/O, and equal input gives equal output.
package packing
