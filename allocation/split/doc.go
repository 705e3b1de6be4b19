// Package split owns the exact arithmetic of sharing: fractions of a device,
// sums of seconds weighted by them, and the division of an amount over such
// sums (docs/rules.md 4.5, 4.6, 8.2 to 8.4).
//
// Numbers are rationals over machine integers as long as they fit and over big integers otherwise; the results are the
// same. It knows nothing of nodes, pods or causes, and there are no floats.
package split
