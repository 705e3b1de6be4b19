// Package fleet resolves machines (docs/rules.md, section 2): facts of
// clusters, cloud events, the catalogue and the bill become ledger nodes with
// one identity, one life and a number of GPUs.
//
// It guarantees the same nodes in the same order for the same facts in any
// order, one node per cloud instance even where instances share a name, and
// never a GPU that neither catalogue, capacity nor device history knows. It
// refuses nothing: a fact that contradicts another loses by the fixed order of
// the rules. It knows no owners; they are put on by who calls it.
package fleet
