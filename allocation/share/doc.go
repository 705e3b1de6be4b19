// Package share owns the passing on of cost that nobody held, and of the
// discounts of commitments (docs/rules.md, section 12): from pools, consumers
// and the policy to pairs that add up to zero.
//
//	pool.go   what is passed on, and the names of pools and rows
//	plan.go   who pays by which weight
//	pass.go   one pool over one plan: exact shares, what comes back, rows
//	month.go  all pools of a calendar month under the policy of their days
//
// It guarantees that the rows of a pool add up to zero in every metric, that a
// metric which the pool does not carry is NULL in all of them, and that the
// result does not depend on the order of anything that comes in. It refuses
// nothing: a pool that no rule or nobody takes stays where it is.
//
// It reads no ledger and knows no table: pools and weights come added up.
package share
