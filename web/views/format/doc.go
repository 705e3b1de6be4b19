// Package format turns exact values into the text of pages: money, unit
// prices, shares, GPU-hours, counts, durations and times.
//
// It is the only place where a figure is rounded for display: half away from
// zero, from the exact decimal. An unknown value is
// printed as NA, never as zero. The same value prints the
// same text everywhere.
package format
