package report

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// ledgerHours stands for the hours of the ledger among windows.
const ledgerHours = "window.ledger"

// windows are the statements that have the times of a dataset's rows. A dataset that is not listed has rows
// of the hours of the ledger only.
var windows = map[string][]string{
	"charges":              {"window.charges"},
	"focus_cost_and_usage": {"window.charges", ledgerHours},
	"statement_lines":      {"window.statement_lines"},
	"stored_annotations":   {"window.stored_annotations"},
	"events":               {"window.events"},
	"checkpoints":          {"window.checkpoints"},
	"samples":              {"window.samples"},
	"llm_usage":            {"window.llm_usage"},
	"workloads":            {"window.workloads", ledgerHours},
	"queue":                {"window.waits", ledgerHours},
	"runs":                 {"window.runs", ledgerHours},
	"groups":               {"window.runs", ledgerHours},
	"scaling":              {"window.runs", ledgerHours},
	"experiments":          {"window.runs", "window.results", ledgerHours},
	"attempts":             {"window.attempts", ledgerHours},
	"spot":                 {"window.attempts", "window.runs", "window.interruptions", ledgerHours},
	"interruptions":        {"window.interruptions", ledgerHours},
	"waste":                {"window.findings", ledgerHours},
	"recommendations":      {"window.recommendations", ledgerHours},
	"served_names":         {"window.served_names", ledgerHours},
}

// Window is the time for which a dataset has data that the viewer may see; none for a dataset that from and to do not
// select.
func (s *Reports) Window(ctx context.Context, d *metrics.Dataset) (w metrics.DataWindow, err error) {
	if !d.Windowed {
		return w, nil
	}
	if d.Derived != nil && !d.Compared { // events of many origins
		return s.windowOfRows(ctx, d)
	}
	names, listed := windows[d.Name]
	if !listed {
		names = []string{ledgerHours}
	}
	err = s.Read(ctx, "window of "+d.Name, func(tx pgx.Tx) error {
		for _, name := range names {
			one, err := windowOf(ctx, tx, name)
			if err != nil {
				return err
			}
			w = w.Hull(one)
		}
		return nil
	})
	if err == nil && access.From(ctx).Bounded() && slices.Contains(names, ledgerHours) {
		var own metrics.DataWindow
		if own, err = s.ownDays(ctx); err == nil {
			w = w.Hull(own)
		}
	}
	return w, err
}

// windowOf reads one statement. The hours of the ledger are read only for viewers of all of them.
func windowOf(ctx context.Context, tx pgx.Tx, name string) (w metrics.DataWindow, err error) {
	if name == ledgerHours && access.From(ctx).Bounded() {
		return w, nil
	}
	is, err := pg.One[struct {
		First, End *period.Second
		Open       bool
	}](ctx, tx, name, pg.Tenant)
	if err != nil || is.First == nil {
		return w, err
	}
	w = metrics.DataWindow{Interval: period.Interval{From: *is.First}, Any: true}
	if is.End != nil && !is.Open {
		w.To = *is.End
	}
	return w, nil
}

// ownDays are the days of a scoped user's costs: of what the ledger has before and after them, the user has no rows.
func (s *Reports) ownDays(ctx context.Context) (w metrics.DataWindow, err error) {
	q, err := metrics.Parse("costs", metrics.Options{
		GroupBy: string(metrics.OnTenant), Granularity: string(metrics.Day), Order: "period_start",
	})
	if err != nil {
		return w, err
	}
	q.Only = []string{"gpu_hours"}
	return s.hull(ctx, q, func(at func(name string) metrics.Value) (period.Second, period.Second) {
		return second(at("period_start")), second(at("period_end"))
	})
}

// windowOfRows is the time of all rows of a dataset of instants.
func (s *Reports) windowOfRows(ctx context.Context, d *metrics.Dataset) (w metrics.DataWindow, err error) {
	q, err := metrics.Parse(d.Name, metrics.Options{})
	if err != nil {
		return w, err
	}
	return s.hull(ctx, q, func(at func(name string) metrics.Value) (period.Second, period.Second) {
		from := second(at("at"))
		return from, max(from+1, second(at("until")))
	})
}

// hull reads the rows of q and returns the time that all of them cover.
func (s *Reports) hull(
	ctx context.Context, q metrics.Query, of func(at func(name string) metrics.Value) (from, to period.Second),
) (w metrics.DataWindow, err error) {
	rows, err := s.Query(ctx, q)
	if err != nil {
		return w, fmt.Errorf("window of %s: %w", q.Dataset.Name, err)
	}
	defer rows.Close()
	at := func(name string) metrics.Value {
		i := slices.IndexFunc(rows.Columns(), func(c metrics.Column) bool { return c.Name == name })
		return rows.Values()[i]
	}
	for rows.Next() {
		from, to := of(at)
		w = w.Hull(metrics.DataWindow{Interval: period.Interval{From: from, To: to}, Any: true})
	}
	return w, rows.Err()
}

// second is an instant of a cell, 0 for an unknown one.
func second(v metrics.Value) period.Second {
	if !v.Valid {
		return 0
	}
	return period.FromTime(v.Time)
}
