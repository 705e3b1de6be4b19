// Package catalog owns public facts about accelerated machine types: how many GPUs of which model they have, their
// memory, vCPUs and host memory, and their public prices per region and price class, each with its source and date.
//
// The data are two embedded tables, types.csv and prices.csv, in a fixed order. A number of GPUs is a decimal ("0.125")
// or, if no decimal is exact, a fraction ("1/6"): a third of a card is sold on every cloud. Unknown cells are empty;
// facts from memory without a source have "by recall" there. A table that does not parse is a defect of the build,
// found by the package's tests and reported by Load.
//
// Lookups of unknown names answer "not known", never a guess; AcceleratedLooking reports which of them the user should
// hear about. The catalogue has only list prices; the prices actually paid come from the bill or the price book.
package catalog
