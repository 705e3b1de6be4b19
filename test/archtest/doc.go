// Package archtest holds the tests of the code's structure: the one-way import table, a doc.go per package, the size of
// files, and the absence of floats near money. It has only tests.
package archtest
