// Package workers lets several processes compute the node-days of one
// calculation: the planner shares them out in batches, every process with
// workers takes batches, and the planner waits for all of them.
//
// It owns the jobs (River, in a schema and with connections of its own) and the
// signs of life of processes. A job names a batch; what is to be computed, and
// what came of it, lie in the ledger's own tables, which decide: a batch that is
// done is not done again, and of two processes that compute one node-day only
// one can save it (store.SaveChunks). A process that gives no sign of life for
// ten seconds loses its batches to others; when it comes back it can save
// nothing of them.
//
// It guarantees that the ledger does not depend on who computed what: batches
// hold all that the planner derived, so that workers derive nothing.
package workers
