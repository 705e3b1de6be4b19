package report

import (
	"context"
	"fmt"

	"gpuledger/internal/access"
	"gpuledger/metrics"
)

// derived answers a dataset that follows from answers of others. Each of those is of one state of the database.
func (s *Reports) derived(ctx context.Context, q metrics.Query) (metrics.Rows, error) {
	viewer := access.From(ctx)
	if err := q.SeenBy(viewer); err != nil {
		return nil, err
	}
	all := q
	all.After, all.Limit, all.Offset = nil, 0, 0 // Finish applies them
	rows, err := q.Dataset.Derived(ctx, all, s)
	if err != nil {
		return nil, fmt.Errorf("report %s: %w", q.Dataset.Name, err)
	}
	return metrics.NewSliceRows(q.Columns(), q.Finish(rows)).Noting(q.NotesFor(viewer)...), nil
}

// explained is a source that also explains how each question is read.
type explained struct {
	*Reports
	all metrics.Reading
}

// Query implements metrics.Source.
func (e *explained) Query(ctx context.Context, q metrics.Query) (metrics.Rows, error) {
	reading, err := e.Reading(ctx, q)
	if err != nil {
		return nil, err
	}
	e.all.Stretches = append(e.all.Stretches, reading.Stretches...)
	e.all.RollUps = append(e.all.RollUps, reading.RollUps...)
	e.all.Statement += reading.Statement + ";\n"
	for table, n := range reading.Rows {
		e.all.Rows[table] += n
	}
	return e.Reports.Query(ctx, q)
}

// derivedReading explains how the answers are read that a derived dataset follows from.
func (s *Reports) derivedReading(ctx context.Context, q metrics.Query) (*metrics.Reading, error) {
	e := &explained{Reports: s, all: metrics.Reading{Dataset: q.Dataset.Name, Rows: map[string]int64{}}}
	if _, err := q.Dataset.Derived(ctx, q, e); err != nil {
		return nil, fmt.Errorf("reading of %s: %w", q.Dataset.Name, err)
	}
	return &e.all, nil
}
