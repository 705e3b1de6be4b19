// Package allocation is the pure engine: facts and a policy in, usage,
// postings and spans out. It does no I/O, reads no clock, logs nothing, and
// gives the same bytes for the same input whatever its order.
package allocation
