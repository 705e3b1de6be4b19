// Package limit finds the budgets that labels set (docs/figures.md, 26.6): which text of cost-budget-limit counts for
// which experiment or project, since when, and which texts limit nothing.
//
// The same workloads in any order give the same rows in the same order.
package limit
