// Package store owns all SQL: it keeps facts and the ledger in PostgreSQL. Its
// rooms follow the stages, and each uses only rooms that stand before it:
//
//	pg        how to talk to PostgreSQL
//	bills     what was billed
//	facts     what happened
//	book      the ledger
//	report    questions to datasets
//	pages     what pages show beside datasets
//	figures   what the ledger adds up to
//	explain   where a figure comes from
//	verify    what must hold
//	periods   closing the books
//
// Store is all of them on one pool. It satisfies the interfaces that its callers
// declare: ingest.Store, posting.AllocationStore, and those of readers. Every
// method that writes is one transaction, so that a process killed at any instant
// leaves no half-visible state.
//
// It refuses databases whose schema is newer than the binary. It decides nothing
// about money: rules live in allocation.
package store
