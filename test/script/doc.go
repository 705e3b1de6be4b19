// Package script owns allocation scripts: cases in a small language
// (docs/contribute/allocation-scripts.md). A case lists in a dozen lines the bill, the holds and the activity of the
// GPUs, and in a table the postings that the ledger must have. A finance person reads a rule as a case; the tests run
// all of them.
//
//	lex.go     a line as words with their columns
//	parse.go   a file as a Case: statements and expected tables
//	fields.go  the named values of a statement
//	world.go   statements as facts (bill.go, machine.go, hold.go, sample.go)
//	run.go     a case from its first statement to its last
//	memory.go  the database of the allocator, in memory; facts.go: its facts
//	sharing.go the input of sharing for a month
//	close.go   months that are closed during a case
//	view.go    results as tables; column.go: the possible columns
//	table.go   tables as text, and how two of them differ
//
// The package allocates nothing itself: cases run through posting.Allocator. Whatever a case expects, Run also checks
// that every charge is posted to the last digit.
//
// It takes the text of a file and gives a Case, an error with file, line and
// column, or tables. It refuses unknown words and never guesses.
package script
