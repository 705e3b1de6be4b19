// Package migrations owns the schema: numbered SQL files in tern's format,
// embedded in the binary and run in order by internal/store.
//
// 001 to 009 are the schema of the first release, by subject, in an order that
// builds on itself: each table stands with all that is its own, to be read. A file
// that was ever released is never edited; a change is a new file, and internal/store
// tests that it upgrades what the first release wrote.
//
// The files create tables and functions only: partitions are made on demand by
// ensure_month; the tables of schema star and the views for BI are generated
// after the last file.
package migrations
