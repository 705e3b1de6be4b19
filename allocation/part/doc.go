// Package part cuts charges into parts (docs/rules.md, 8.5 to 8.11): which
// node-hour, commitment, shared pot or outside world each share of a billed
// line belongs to. The hourly cut is rounded once, here, and stored.
//
// A Cutter reads a delivery's charges twice: Observe learns what cuts depend on
// beyond the charge itself (covered lines, the base of taxes), Cut makes the
// parts. It guarantees that the parts of a charge add up to the charge exactly
// in each of the four measures, that a measure the bill does not carry stays
// nil, and the same parts with the same ids for the same delivery and fleet.
// It knows kinds of lines, not the columns of any provider.
package part
