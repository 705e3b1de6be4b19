// Package attempts reads the neutral format for everything that no other source
// tells of: a row per attempt of a run, as CSV with a header, or as JSON objects
// with the same names (docs/connect/attempts.md).
//
// A row that names nodes makes a workload per node, one that names pods makes a
// segment per pod, one that names neither only dates the attempt. It refuses
// files without the columns run_id and started_at or submitted_at, naming what
// is missing; rows whose times, counts or words cannot be read are rejected with
// line and column; columns that it does not know are counted.
//
// It guarantees that the same row is the same facts, in any file and order. What
// it says goes before what other sources say (docs/rules.md 10.1).
package attempts
