// Command mutants changes the engine and the packages that make facts on purpose, one operator at a time, and checks
// whether a test notices (make test-mutants).
//
// It owns the possible changes (sites.go: comparisons, signs, products, conjunctions, min and max), the selection (a
// fixed number per package, by a hash of their place, so that the selection stays as the code around them changes), and
// the list of changes without any visible effect (equivalent.txt, each with its reason). Sources stay unchanged: the
// compiler gets a changed file through an overlay.
//
// It prints each change with the test that noticed it, and fails if a change goes unnoticed: then a test is missing, or
// the code does more than it needs.
package main
