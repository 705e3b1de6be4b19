// Package script owns allocation scripts: cases in a small language
// (docs/contribute/allocation-scripts.md) that say in a dozen lines what was billed, who
// held what and what the GPUs did, and in a table what the ledger must make of
// it. A finance person reads a rule as a case; the tests run all of them.
//
//	lex.go     a line as words with their columns
//	parse.go   a file as a Case: statements and expected tables
//	fields.go  the named values of a statement
//	world.go   statements as facts (bill.go, machine.go, hold.go, sample.go)
//	run.go     a case from its first statement to its last
//	memory.go  the database of the allocator, in memory; facts.go: what it is told
//	sharing.go what sharing needs of a month
//	close.go   months that are closed while a case goes on
//	view.go    results as tables; column.go: what may stand in a column
//	table.go   tables as text, and how two of them differ
//
// Nothing is allocated here: cases run through posting.Allocator, as everything
// does. Whatever a case expects, Run also checks that every charge is posted to
// the last digit.
//
// It takes the text of a file and gives a Case, an error with file, line and
// column, or tables. It refuses words that it does not know and never guesses.
package script
