// Package period owns time as the ledger sees it: whole UTC seconds since the
// Unix epoch and half-open intervals of them.
//
// It guarantees that an interval never has negative length and that hours,
// days and months are cut in UTC. It refuses clocks: nothing here asks what
// time it is now.
package period
