// Package figures draws the pages that are one value each: a Page says which
// dataset it asks, which columns it shows and in which words, and this package
// asks, lays out the table, the course and the facts, and links every figure
// to its definition and to what explains it. Other pages draw its panels, too.
//
// A request goes one way: its route (routes.go) gives a Page to answer (figures.go), which takes the page
// as it is at this address (page.go), asks for rows, totals and panels (read.go), and lays them out (table.go,
// course.go, picks.go), with what explains each figure (why.go). Questions are made by metrics.Parse and
// answered by a page.Reader, which is internal/store/report.
//
// Names, units, formulas, targets and caveats come from the dataset, never from
// a page. Where a page lets a reader decide on its rows, it takes the decision
// too; a room that has more to say on its page, such as a desk, answers it itself, by
// Answer. A panel that fails leaves the others standing.
package figures
