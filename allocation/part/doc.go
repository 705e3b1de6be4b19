// Package part cuts charges into parts (docs/rules.md, 8.5 to 8.11 and 8.15 to
// 8.21): which node-hour, commitment, shared pot, managed service or outside
// world each share of a billed line belongs to. The hourly cut is rounded once,
// here, and stored.
//
// A Cutter reads the charges of a bill twice: Observe learns what cuts depend
// on beyond the charge itself, Cut makes the parts.
//
//	target.go    which machine, group of machines or service a line is of
//	place.go     its hours, and the split of each measure over them
//	base.go      tax, support and discounts of no resource: fleet : non-fleet
//	paid.go      what fees count for there: what they paid for
//	negation.go  savings plan negations follow the covered lines
//	fee.go       commitments: the cash side and what was not used
//	prepaid.go   which lines draw on capacity paid at once
//	amortise.go  the pairs that move its effective cost there
//	fleet.go     the nodes, and a digest of all that a cut depended on
//
// It guarantees that the parts of a charge add up to the charge exactly in each
// of the four measures, that a measure the bill does not carry stays nil, and
// the same parts with the same ids for the same charges and fleet, in whatever
// order they come. A line that is outside the fleet costs one look. It knows
// kinds of lines, not the columns of any provider.
package part
