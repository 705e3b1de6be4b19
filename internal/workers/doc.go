// Package workers lets several processes compute the node-days of one calculation: the planner offers them in
// batches, every process with workers takes batches, and the planner waits for all of them.
//
// It owns when batches are taken and given up, and the heartbeats of processes. Batches, their holders and their
// results are in the ledger's tables:
//
//   - two slots that ask at once get different batches;
//   - a finished batch is not computed again;
//   - if the answer to taking or settling a batch is lost, the same slot takes the batch again;
//   - if two processes compute one node-day, only one can save it (store.SaveChunks);
//   - a process without a heartbeat for ten seconds loses its batches to others, and can save none of them when it
//     comes back.
//
// It guarantees that the ledger does not depend on who computed which batch: batches contain everything that the
// planner derived, so that workers derive nothing.
package workers
