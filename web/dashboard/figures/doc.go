// Package figures draws the pages that are one value each: a Page says which
// dataset it asks, which columns it shows and in which words, and this package
// asks, lays out the table, the course and the facts, and links every figure
// to its definition and to what explains it. Other pages draw its panels, too.
//
// Names, units, formulas, targets and caveats come from the dataset, never from
// a page. Where a page lets a reader decide on its rows, it takes the decision
// too; a room that has more to say on its page, such as a desk, answers it itself, by
// Answer. A panel that fails leaves the others standing.
package figures
