// Package migrations owns the schema: numbered SQL files in tern's format,
// embedded in the binary and run in order by internal/store.
//
// A file that was ever released is never edited; a change is a new file. The
// files create tables and functions only: partitions are made on demand by
// ensure_month, and views for BI are generated after the last file.
package migrations
