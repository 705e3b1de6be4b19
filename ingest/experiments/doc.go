// Package experiments reads what experiments came to: a row per result, as CSV
// with a header or as JSON objects with the same names (docs/connect/experiments.md).
//
// It refuses files without the columns experiment, metric and value, naming what
// is missing, and columns that it does not know, as a misspelt threshold would
// change who succeeded. Rows whose numbers, times or words cannot be read are
// rejected with line and column, and so are two rows of one file that say
// different things of one result.
//
// It guarantees that the same row is the same result, in any file and order.
// What runs cost and whether they succeeded it does not know.
package experiments
