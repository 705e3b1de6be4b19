// Package confirm has the rules of the second person: which changes of the books wait
// until another person confirms them, and who may confirm them.
//
// No one can confirm their own request, as far as identities can be known. The confirmed change
// is the requested one, to the byte, and it is refused if the statements or policy versions that it
// is about have changed since. The package stores nothing: internal/store/book does.
package confirm
