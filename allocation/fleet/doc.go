// Package fleet resolves machines (docs/rules.md, section 2): facts of
// clusters, cloud events, the catalogue and the bill become ledger nodes with
// one identity, one life and a number of GPUs.
//
// The same facts in any order give the same nodes in the same order: one node per cloud instance even if instances
// share a name, and never a GPU that neither catalogue, capacity nor device history knows. No input is refused: a fact
// that contradicts another loses by the fixed order of the rules. The package knows no owners; callers add them.
package fleet
