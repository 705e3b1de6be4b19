// Package policy owns the numbers that rules call "policy": thresholds and
// time limits, with one version name for the whole set.
//
// A Policy is plain data. Validate refuses values that no rule could work with, and every user of a policy calls it
// first. The package imports no other package of the program and may be imported by every part of allocation.
package policy
