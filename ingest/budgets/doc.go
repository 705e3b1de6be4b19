// Package budgets reads budgets that finance keeps in a table: CSV with a header, or JSON objects with the same names
// (docs/connect/budgets.md).
//
// It refuses files without the columns name, key, period, amount and unit, and unknown columns. Each row is a budget or
// is rejected with its line, column and reason; so is a second row with the name of an earlier one. The store
// knows whether a parent exists that is not in the file, and whether a period of the fiscal calendar begins at a start.
//
// It guarantees exact amounts. It does not know the spend.
package budgets
