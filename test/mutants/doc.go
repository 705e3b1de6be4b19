// Command mutants changes the engine and the makers of facts on purpose, one
// operator at a time, and looks whether a test notices (make test-mutants).
//
// It owns which changes there are (sites.go: comparisons, signs, products,
// conjunctions, least and largest), which of them are tried (a fixed number per
// package, chosen by a hash of their place, so that the choice stays as the code
// around them changes), and those that change nothing that anybody could see
// (equivalent.txt, each with its reason). Sources stay as they are: the compiler
// gets a changed file through an overlay.
//
// It prints each change with the test that noticed it, and fails when one is
// noticed by none: then a test is missing, or the code says more than it needs.
package main
