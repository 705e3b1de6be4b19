// Package upkeep brings the ledger, and everything derived from it, up to date with the imports. The command, the
// server and the demo all use it.
//
// It owns the order: allocate, then summarise samples and refresh the planner's statistics, then analyse. Analysis
// reads both, so it comes last.
//
// It guarantees that the next run completes an unfinished one: each stage finds its pending work itself.
package upkeep
