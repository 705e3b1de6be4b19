// Package share owns the redistribution of cost that no workload held and of discounts of commitments (docs/rules.md,
// section 12): it turns pools, consumers and the policy into pairs that add up to zero.
//
//	pool.go   the cost that is passed on, and the names of pools and rows
//	plan.go   the payers and their weights
//	pass.go   one pool over one plan: exact shares, net amounts, rows
//	month.go  all pools of a calendar month under the policy of their days
//
// It guarantees that the rows of a pool add up to zero in every metric, that a metric missing from the pool is NULL in
// all of them, and that the result does not depend on the order of any input. It refuses no input: a pool without a
// rule or without payers stays with its owner.
//
// It reads no ledger and knows no table: pools and weights come summed.
package share
