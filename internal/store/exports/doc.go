// Package exports stores the schedules of exports and the outcome of their runs.
//
// A target has one lock, so that of several processes one writes to it. Each change of a schedule is written to the
// audit log in the same transaction. What a schedule exports, and when it is due, is decided by internal/outgoing.
package exports
