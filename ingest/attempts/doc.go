// Package attempts reads the neutral format for runs that no other source reports: a row per
// attempt of a run, as CSV with a header, or as JSON objects with the same names
// (docs/connect/attempts.md).
//
// A row with nodes makes a workload per node, one with pods a segment per pod; a row with
// neither only dates the attempt. Files without the columns run_id and started_at or
// submitted_at are refused, and the missing columns named. Rows with unreadable times, counts
// or words are rejected with line and column; unknown columns are counted.
//
// The same row is the same facts, in any file and order. Its facts take precedence over other
// sources (docs/rules.md 10.1).
package attempts
