// Package archtest holds the tests that keep the house in order: the one-way
// import table, a doc.go per package, the size of files, and the absence of
// floats where money is. It has no code of its own.
package archtest
