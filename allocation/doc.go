// Package allocation is the pure engine: facts and a policy in, usage,
// postings and spans out. It does no I/O, reads no clock, logs nothing, and
// gives the same bytes for the same input whatever its order.
//
// NewNode works out once who held which slot of a node over its life (node.go,
// placement.go and hold.go by evidence, request.go without) and for which
// attempts (serving.go). Day then takes the node's days one by one:
//
//	bill.go  parts by hour, and parts for hours that have no bill
//	day.go   the day's facts; time billed beyond the node's life
//	walk.go  each slot, layout and slice in stretches (cut.go) in which nothing
//	         changes; held.go prepares the limits that decide a holder's cause
//	row.go   stretches collected into usage rows and spans
//	host.go  the machine around the GPUs as separate rows
//	post.go  parts split over the rows, quantities put on their postings
//
// Policy options have separate files: idle.go, weight.go (with compute.go for parts of MIG instances), sharing.go,
// host.go.
//
// It owns the keys of usage rows and the ids of usage, postings and the parts that it makes. The arithmetic is in
// split, minutes of telemetry in timeline, the precedence of causes in cause. Input that the ledger cannot use comes
// back as a Diagnostic. Sums that must hold are checked for every hour; a violation is an error.
package allocation
