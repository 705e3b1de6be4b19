package gcpbilling

import (
	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
)

// looseFile is a file of a child table with its contents.
type looseFile struct {
	file   blob.File
	header int64 // the line of its header
	parts  []stretch
}

// stretch is the range of a field's elements from one file.
type stretch struct {
	of       *child
	from, to int
}

// ofChild reports whether a column occurs only in a loader's child tables.
func ofChild(name string) bool {
	return name == childColumn || name == orderColumn || name == rootColumn
}

// used reports whether any of its elements belongs to a row of the files. A child table without
// elements can belong to any table whose rows have ids; named reports whether there are any.
func (l *looseFile) used(named bool) bool {
	for _, p := range l.parts {
		for _, n := range p.of.nodes[p.from:p.to] {
			if n.taken {
				return true
			}
		}
	}
	return named && len(l.parts) == 0
}

// alone refuses a child table whose parent is not among the files.
func (l *looseFile) alone() ledger.Rejection {
	return l.rejection("child table without its table",
		"a loader has put a repeated field (credits, labels) into this table, but the table that its rows belong to "+
			"is not among the files, so this one cannot be used; import the folder that holds both")
}

func (l *looseFile) rejection(reason, detail string) ledger.Rejection {
	return ledger.Rejection{File: l.file.Name, Line: l.header, Column: childColumn, Reason: reason, Detail: detail}
}
