// Package chart draws the charts of pages as SVG on the server.
//
// It computes geometry and markup: callers pass in formatted
// texts, and floats that only place pixels. Horizontal positions
// are percentages and heights are pixels, so that a chart fills any width
// and its text is never scaled; media queries hide the parts that do not fit on a narrow
// screen. No element has a style attribute.
//
// A gap in the data stays a gap, causes stack in the
// ledger's order, and each chart has role=img with the given label.
package chart
