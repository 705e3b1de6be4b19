// Package catalog owns what is publicly known of accelerated machine types:
// how many GPUs of which model they have, their memory, vCPUs and host memory,
// and their public prices per region and price class, each with its source and
// date.
//
// The data are two embedded tables, types.csv and prices.csv, in a fixed order.
// A number of GPUs is a decimal ("0.125") or, where no decimal is exact, a
// fraction ("1/6"): a third of a card is sold on every cloud. What is not
// known is empty, and what a row has from memory instead of from its source
// says "by recall" there. A table that does not parse is a defect of the
// build, found by the package's tests and reported by Load.
//
// Lookups of unknown names answer "not known", never a guess; AcceleratedLooking
// tells which of them deserve a word to the user. The catalogue is about list
// prices only: what was really paid comes from the bill or the price book.
package catalog
