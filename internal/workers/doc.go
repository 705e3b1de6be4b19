// Package workers lets several processes compute the node-days of one
// calculation: the planner shares them out in batches, every process with
// workers takes batches, and the planner waits for all of them.
//
// It owns when batches are taken and given up, and the signs of life of processes.
// Batches, who has them and what came of them lie in the ledger's own tables: of
// two slots that ask at once each gets another one, a batch that is done is not done
// again, a batch whose taking or settling was not heard of is taken again by the same
// slot, and of two processes that compute one node-day only one can save it
// (store.SaveChunks). A process that gives no sign of life for ten seconds loses its
// batches to others; when it comes back it can save nothing of them.
//
// It guarantees that the ledger does not depend on who computed what: batches
// hold all that the planner derived, so that workers derive nothing.
package workers
