// Package catalog owns what is publicly known of GPU machine types: how many
// GPUs of which model they have, and their public on-demand prices, each with
// its source and date.
//
// The data are two embedded tables, types.csv and prices.csv. A table that
// does not parse is a defect of the build, found by the package's tests and
// reported by Load; lookups of unknown names answer "not known", never a
// guess. The catalogue is about list prices only: what was really paid comes
// from the bill or the price book.
package catalog
