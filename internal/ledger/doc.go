// Package ledger is the vocabulary of gpuledger: the facts that ingest writes (charges, nodes, devices, samples,
// workloads, checkpoints, events) and the results that allocation posts (usage, postings, attempts, spans).
//
// Every other package may import it; it imports only money and period. It owns the names, the enumerations with their
// fixed order, and the identity of things (ID). It does no I/O and refuses no value at run time: the packages that
// read external data validate it.
package ledger
