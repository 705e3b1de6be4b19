// Package confirm owns the rules of the second person: which changes of the books wait
// until somebody else confirms them, who that may be, and what is confirmed.
//
// It guarantees that nobody confirms what he asked for himself, as far as can be known,
// that what is confirmed is what was asked for, to the byte, and that it is refused once
// what it was asked about stands differently. It keeps nothing: internal/store/book does.
package confirm
