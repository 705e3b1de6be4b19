// Package policy owns the numbers that rules call "policy": thresholds and
// time limits, with one version name for the whole set.
//
// A Policy is plain data. It refuses values that no rule could work with
// (Validate) and unknown fields when read, so that a misspelt setting never
// silently falls back to its default. It imports nothing of the program and
// may be imported by every part of allocation.
package policy
