// Package jobs runs the stages over the database: allocation (facts to
// ledger) and verification. It owns their order and their restart; the rules
// are in allocation, the SQL is in store.
package jobs
