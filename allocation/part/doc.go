// Package part cuts charges into parts (docs/rules.md, 8.5 to 8.11 and 8.15 to 8.21): the node-hour, commitment, shared
// pot, managed service or outside world to which each share of a billed line belongs. The hourly cut is rounded once,
// here, and stored.
//
// A Cutter reads the charges of a bill twice: Observe collects the data beyond a charge that its cut depends on, Cut
// makes the parts.
//
//	target.go    the machine, group of machines or service of a line
//	place.go     its hours, and the split of each measure over them
//	base.go      tax, support and discounts without a resource: fleet : non-fleet
//	paid.go      the base of fees there: the usage that they paid for
//	negation.go  savings plan negations follow the covered lines
//	fee.go       commitments: the cash side and the unused side
//	prepaid.go   which lines draw on capacity paid in advance
//	amortise.go  the pairs that move its effective cost there
//	fleet.go     the nodes, and a digest of all that a cut depended on
//
// It guarantees that the parts of a charge add up to the charge exactly in each of the four measures, that a measure
// missing from the bill stays nil, and the same parts with the same ids for the same charges and fleet, in whatever
// order they come. A line outside the fleet costs one lookup. It knows kinds of lines, not the columns of any provider.
package part
