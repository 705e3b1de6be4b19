// Package explain answers where a figure comes from and what it means: the
// explanation of any posting, charge, cell, pool or saving down to the lines
// of the bill and the samples behind it, and the reference of all metrics.
//
// It adds nothing up: it shows what metrics.Explanation carries, digit by
// digit, and says so where parts do not add up to their figure.
package explain
