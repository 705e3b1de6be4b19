// Package experiments reads experiment results: a row per result, as CSV with a header or as
// JSON objects with the same names (docs/connect/experiments.md).
//
// Files without the columns experiment, metric and value are refused, and the missing columns
// named. Unknown columns are refused too, since a misspelt threshold would change which runs
// succeeded. Rows with unreadable numbers, times or words are rejected with line and column,
// and so are two rows of one file that contradict each other about one result.
//
// The same row is the same result, in any file and order. The cost and success of runs are not
// part of this package.
package experiments
