// Package store owns all SQL: it keeps facts and the ledger in PostgreSQL.
//
// It satisfies the interfaces that its callers declare: ingest.Store (stages
// and publishing), jobs.AllocationStore (facts in, ledger out), and the
// readers of the reports. Statements are named files, sql/<area>.<name>.sql,
// and take tenant_id first; bulk rows travel by binary COPY straight from the
// ledger's types. What several statements need to decide is a fragment in Go
// that they name, and a test asks for the reason of every other `case`.
//
// Guarantees: every method that writes is one transaction, so that a process
// killed at any instant leaves no half-visible state; money and quantities
// pass exactly (NUMERIC ↔ money.Amount without floats); publishing the same
// facts twice changes nothing and marks nothing; whatever a change can move in
// the ledger is marked dirty in the same transaction.
//
// It refuses databases whose schema is newer than the binary. It decides
// nothing about money: rules live in allocation.
package store
