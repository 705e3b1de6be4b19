// Package upkeep brings the ledger, and what is made of it, up to date with what was
// imported. The command, the server and the demo all go through it.
//
// It owns the order: allocate, then summarise samples and tell the planner what
// changed, then analyse. Analysis reads both, so it comes last.
//
// It guarantees that what a run did not come to is done by the next one: each stage
// finds out by itself what is left to do.
package upkeep
