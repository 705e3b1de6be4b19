// Package explain shows where a figure comes from and what it means: the
// explanation of any posting, charge, cell, pool or saving down to the bill lines
// and samples behind it, and the reference of all metrics.
//
// It adds nothing up. It shows a metrics.Explanation digit by digit, and says so
// if parts do not add up to their figure.
package explain
