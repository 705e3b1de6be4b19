// Package focus holds the datasets of the FinOps Open Cost and Usage Specification (FOCUS) that gpuledger writes: their
// columns as data, by version of the specification.
//
// Each dataset has a text file, one line a column: its name, whether the specification requires it, whether it may be
// NULL, its type, the versions that have it, its allowed values and its meaning in this ledger. Names and facts are
// those of the specification (FinOps Foundation, CC-BY-4.0); the words are ours.
//
// Package metrics builds its datasets from these files. The package reads nothing but its own files and refuses a file
// with a line that it cannot read when the program starts, so that a parsed column is always complete.
package focus
