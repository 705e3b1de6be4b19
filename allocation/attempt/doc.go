// Package attempt turns pods into workloads, runs, attempts and segments
// (docs/rules.md, 4.1 and section 6): who held what and when, which tries
// belong to one run, how each ended and what was lost.
//
// It guarantees the same result, in the same order, for the same facts in any
// order, and that the segments of one pod never overlap. It reads no clock: a
// pod is running when data end while it is still there. Which slots a pod
// held is not its business; that follows from evidence, per node and day.
package attempt
