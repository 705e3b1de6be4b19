// Package timeline is the read model of one run over time: which nodes and
// slots it held for which cause, its checkpoints and interruptions, and how
// active its GPUs were.
//
// It owns the types that the store fills and the run page draws, and the pure
// averaging of minute samples into buckets. It refuses nothing and guarantees
// that a bucket without a known minute stays unknown: a gap is never bridged
// and never zero.
package timeline
