// Package attempt turns what held machines (pods, Slurm jobs, jobs of managed
// services, attempts files, processes) into workloads, runs, attempts and
// segments (docs/rules.md, 4.1, 4.9 and section 6): who held what and when,
// which tries belong to one run, how each ended and what was lost.
//
// It guarantees the same result, in the same order, for the same facts in any
// order, that the weights of the segments of one workload add up to at most
// one in every second, and that only segment facts make them overlap. It reads
// no clock: a workload is running when data end while it is still there. Which
// slots it held is not its business; that follows from evidence, per node and
// day.
package attempt
