package pages

import (
	"context"

	"gpuledger/internal/store/pg"
)

// ExportFacts is what doctor looks at of one export: its newest partition.
type ExportFacts struct {
	Source    string
	Export    string
	Scope     string
	Dataset   string
	Partition string
	Columns   []string // as the files name them
	Rows      int64

	Tagged    bool  // some charge has a tag of the customer's own
	Instances int64 // charges of instance hours
	Unnamed   int64 // of them, without a resource id

	Compute int64 // charges with parts of instance hours
	Pooled  int64 // of them, spread over machines for want of a resource id
	Lost    int64 // of them, without any machine
}

// ExportFacts returns the exports that are current, in order of source and
// name.
func (s *Pages) ExportFacts(ctx context.Context) ([]ExportFacts, error) {
	return pg.List[ExportFacts](ctx, s.ReadOnly(), "doctor.exports", pg.Tenant)
}
