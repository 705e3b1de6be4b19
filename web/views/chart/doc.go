// Package chart draws the charts of pages as SVG on the server.
//
// It owns geometry and markup: callers hand it values that are already
// formatted for reading plus floats that only place pixels. Horizontal places
// are percentages and heights are pixels, so that a chart fills any width
// while its text is never scaled; what must be dropped on a narrow screen is
// left out by media query. No element carries a style attribute.
//
// It guarantees that a gap in the data stays a gap, that causes stack in the
// ledger's order, and that each chart has role=img with the label it is given.
package chart
