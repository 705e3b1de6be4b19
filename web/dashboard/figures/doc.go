// Package figures draws pages that are declared as one value each: a Page names
// its dataset, its columns and its words. This package reads the data, lays out
// the table, the course and the facts, and links every figure to its definition
// and its explanation. Other pages use its panels, too.
//
// A request goes one way: its route (routes.go) passes a Page to answer (figures.go), which applies the address to
// the page (page.go), reads rows, totals and panels (read.go), and lays them out (table.go, course.go, picks.go)
// with links to explanations (why.go). metrics.Parse builds the queries; a page.Reader, internal/store/report,
// answers them.
//
// Names, units, formulas, targets and caveats come from the dataset, never from a
// page. A page that lets users decide on its rows also records the decision. A
// room with more to show on its page, such as a desk, serves the page itself
// through Answer. A panel that fails does not affect the others.
package figures
