// Package nearest finds the name that somebody meant to type, for messages about unknown names. It is pure, and knows no
// names itself.
package nearest
