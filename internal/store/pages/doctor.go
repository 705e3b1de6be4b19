package pages

import (
	"context"

	"gpuledger/internal/store/pg"
)

// ExportFacts describes the newest partition of one export for doctor.
type ExportFacts struct {
	Source    string
	Export    string
	Scope     string
	Dataset   string
	Partition string
	Columns   []string // as named in the files
	Rows      int64

	Tagged    bool  // some charge has a custom tag
	Instances int64 // charges of instance hours
	Unnamed   int64 // those without a resource id

	Compute int64 // charges with parts of instance hours
	Pooled  int64 // those spread over machines because they lack a resource id
	Lost    int64 // those without any machine
}

// ExportFacts returns the current exports, by source and name.
func (s *Pages) ExportFacts(ctx context.Context) ([]ExportFacts, error) {
	return pg.List[ExportFacts](ctx, s.ReadOnly(), "doctor.exports", pg.Tenant)
}
