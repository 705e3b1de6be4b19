// Package store owns all SQL: it stores facts and the ledger in PostgreSQL. Its packages follow the stages of the work,
// and each uses only those listed before it:
//
//	pg        access to PostgreSQL
//	bills     billing data
//	facts     telemetry and events
//	book      the ledger
//	report    dataset queries
//	pages     page contents that are not datasets
//	figures   roll-ups and analyses of the ledger
//	explain   the origin of a figure
//	verify    checks of the ledger
//	periods   closing the books
//
// Store joins all of them on one pool. It satisfies the interfaces that its callers declare: ingest.Store,
// posting.AllocationStore, and those of readers. Every method that writes is one transaction, so a process killed at
// any instant leaves no half-visible state.
//
// It refuses databases whose schema is newer than the binary. It decides nothing about money: the rules are in
// allocation.
package store
