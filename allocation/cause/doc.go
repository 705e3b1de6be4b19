// Package cause decides why a second of a slot was spent: the precedence of
// docs/rules.md, section 7, and nothing else.
//
// It owns the order of the causes for held time, for unheld time, and for time that was only billed. Callers gather the
// conditions; the package guarantees that every combination of them has exactly one cause. It is pure.
package cause
