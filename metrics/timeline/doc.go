// Package timeline is the read model of one run over time: the nodes and slots it held and their causes, its
// checkpoints and interruptions, and the activity of its GPUs.
//
// It owns the types that the store fills and the run page draws, and the pure averaging of minute samples into buckets.
// It refuses nothing and guarantees that a bucket without a known minute stays unknown: a gap is never bridged and
// never zero.
package timeline
