// Package panel draws panels that are declared as one value each: a Panel names its question (dataset, keys, options),
// the measure and the kind of chart. The package asks the question, draws the chart with a link and the exact figure
// on every mark, puts the same figures in a table below, and prints the question as SQL, as an address of the REST API
// and as a command.
//
//	panel.go    what a panel is, and how one is drawn
//	sheet.go    the answer: one sheet per currency, groups by steps
//	steps.go    the buckets of time of a sheet
//	fold.go     small groups become "others", so that totals stay
//	over_time.go, groups.go, heat.go, pivot.go, multiples.go, parts.go   the kinds of chart
//	lead.go     the largest group, for the page's sentence
//	courses.go  lines of several columns over days, such as spend against a budget
//	twin.go     the table below the chart
//
// It adds up exact amounts and computes no other figure. Currencies are never added: each has its own chart. Start
// draws panels while the page is written (page.Lane): one that fails says so in its place and leaves the others alone.
package panel
