// Package period owns the ledger's time: whole UTC seconds since the Unix epoch and half-open intervals of them.
//
// It guarantees that an interval never has negative length and that hours, days and months are cut in UTC. It never
// reads a clock.
package period
