// Package attempt turns facts about workloads (pods, Slurm jobs, jobs of managed services, attempts files, processes)
// into workloads, runs, attempts and segments (docs/rules.md, 4.1, 4.9 and section 6): when each held a machine, which
// tries belong to one run, how each ended and which work was lost.
//
// The same facts in any order give the same result in the same order. The weights of the segments of one workload add
// up to at most one in every second, and only segment facts make them overlap. The package reads no clock: a workload
// is running if it is still there when the data end. It does not know which slots a workload held; that follows from
// evidence, per node and day.
package attempt
