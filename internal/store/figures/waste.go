package figures

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/analysis"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics/waste"
)

// TraceWaste computes the traces of all subjects on a day, replaces the earlier ones, and returns the subjects with
// traces before or after.
func (s *Figures) TraceWaste(
	ctx context.Context, day period.Second,
) (subjects map[analysis.WasteSubject]bool, err error) {
	if err := s.EnsureMonths(ctx, "waste_days", pg.MonthsOf(day)); err != nil {
		return nil, err
	}
	subjects = map[analysis.WasteSubject]bool{}
	err = pgx.BeginTxFunc(ctx, s.Pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead}, func(tx pgx.Tx) error {
		if _, err := pg.Exec(ctx, tx, "analysis.settings"); err != nil {
			return err
		}
		d, err := wasteDay(ctx, tx, day)
		if err != nil {
			return err
		}
		if err := addSubjects(ctx, tx, subjects, "waste.delete_day", pg.Tenant, day); err != nil {
			return err
		}
		traces := d.Traces()
		for _, t := range traces {
			subjects[analysis.WasteSubject{Scope: t.Key.Scope, ID: t.Key.ID()}] = true
		}
		_, err = pg.CopySlice(ctx, tx, pg.Statement("waste.copy_days"), traces, encodeTrace)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("trace waste: %w", err)
	}
	return subjects, nil
}

func encodeTrace(r *pg.Row, t **waste.Trace) error {
	r.Begin(5)
	r.Int4(pg.Tenant)
	r.At((*t).Day)
	r.Text(string((*t).Key.Scope))
	r.ID((*t).Key.ID())
	return r.Object(*t)
}

// addSubjects adds the subjects that a statement returns.
func addSubjects(
	ctx context.Context, q pg.Querier, into map[analysis.WasteSubject]bool, name string, args ...any,
) error {
	list, err := pg.List[analysis.WasteSubject](ctx, q, name, args...)
	for _, v := range list {
		into[v] = true
	}
	return err
}

// WasteSubjects adds the subjects whose findings may change with the days inside within: findings that lie there, or
// that were open.
func (s *Figures) WasteSubjects(
	ctx context.Context, within period.Interval, into map[analysis.WasteSubject]bool,
) error {
	return addSubjects(ctx, s.Pool, into, "waste.found", pg.Tenant, within.From, within.To)
}

// WasteLimits are the thresholds of findings that the policy sets.
func (s *Figures) WasteLimits(ctx context.Context) (waste.Limits, error) {
	book, err := s.Policies(ctx)
	if err != nil {
		return waste.Limits{}, err
	}
	p := book.World()
	return waste.Limits{Minimum: p.FindingMinimum, Checkpoints: p.CheckpointInterval}, nil
}

// WasteEnd is the end of the ledger's data; 0 if it is empty.
func (s *Figures) WasteEnd(ctx context.Context) (period.Second, error) {
	return pg.Value[period.Second](ctx, s.Pool, "waste.end", pg.Tenant)
}

// WasteTraces are the traces of subjects, ordered by day. Subjects without traces are not in the result.
func (s *Figures) WasteTraces(
	ctx context.Context, of []analysis.WasteSubject,
) (map[analysis.WasteSubject][]*waste.Trace, error) {
	traces := map[analysis.WasteSubject][]*waste.Trace{}
	scopes, ids := columnsOf(of)
	list, err := pg.List[struct {
		analysis.WasteSubject
		Day   period.Second
		Trace *waste.Trace
	}](ctx, s.Pool, "waste.traces", pg.Tenant, scopes, ids)
	for _, r := range list {
		r.Trace.Day = r.Day
		traces[r.WasteSubject] = append(traces[r.WasteSubject], r.Trace)
	}
	return traces, err
}

func columnsOf(of []analysis.WasteSubject) (scopes []string, ids []ledger.ID) {
	scopes, ids = make([]string, len(of)), make([]ledger.ID, len(of))
	for i, v := range of {
		scopes[i], ids[i] = string(v.Scope), v.ID
	}
	return scopes, ids
}

// WasteMachines are the traces of machines on a day.
func (s *Figures) WasteMachines(ctx context.Context, day period.Second) (list []*waste.Trace, err error) {
	list, err = pg.Values[*waste.Trace](ctx, s.Pool, "waste.machines", pg.Tenant, day)
	for _, t := range list {
		t.Day = day
	}
	return list, err
}

// Orphaned are the times in which machines were orphaned that overlap within or belong to the given subjects.
func (s *Figures) Orphaned(
	ctx context.Context, of []analysis.WasteSubject, within period.Interval,
) ([]analysis.Orphan, error) {
	_, ids := columnsOf(of)
	return pg.List[analysis.Orphan](ctx, s.Pool, "waste.orphans", pg.Tenant, ids, within.From, within.To)
}
