package report

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/internal/star"
	"gpuledger/metrics"
)

// Devices are read from what was last added up of them, also of days that have
// changed since: what they showed is not in the ledger, and what they cost is to be
// of the same time. A window takes the days that begin in it.

// planDevices is the planner of devices: months that are there where they answer,
// days for all else.
func planDevices(ctx context.Context, tx pgx.Tx, q metrics.Query) (*RollupPlan, error) {
	var list []piece
	if months(q) {
		days, err := WindowDays(ctx, tx, q)
		if err != nil {
			return nil, err
		}
		list = Pieces(q, false, days)
	}
	return &RollupPlan{Pieces: daysOrMonths(q.Window, list)}, nil
}

// daysOrMonths makes days of all pieces of a window but months.
func daysOrMonths(window period.Interval, list []piece) []piece {
	if len(list) == 0 {
		return []piece{{fromDays, window}}
	}
	var out []piece
	for _, p := range list {
		if p.From != fromMonths {
			p.From = fromDays
		}
		if n := len(out); n > 0 && out[n-1].From == p.From {
			out[n-1].Span.To = p.Span.To
			continue
		}
		out = append(out, p)
	}
	return out
}

// unknownToDevices are the keys of q that are of who held a device.
func unknownToDevices(q metrics.Query) []string {
	holders := append([]string{"mig_profile", "workload_class", "namespace"}, metrics.OwnerKeys...)
	known := func(name string) bool { return !slices.Contains(holders, name) }
	return slices.DeleteFunc(slices.Clone(askedNames(q)), known)
}

// deviceRows are the rows of a fact of devices that answer the question, with all
// columns: those of holders are null where nothing asks for them.
func (c *Compiler) deviceRows(f *star.Fact) string {
	whole := &f.Rollups[1]
	r := whole
	if len(unknownToDevices(c.Q)) == 0 {
		r = &f.Rollups[0]
	}
	list := []string{"r.at as hour"}
	for _, name := range f.Table(whole, star.Days).Columns() {
		if k, ok := f.Key(name); ok && !r.Has(name) {
			list = append(list, "null::"+string(k.Type)+" as "+name)
			continue
		}
		list = append(list, "r."+name)
	}
	if c.Plan == nil { // the definition of a view
		c.Plan = &RollupPlan{Pieces: daysOrMonths(c.Q.Window, nil)}
		defer func() { c.Plan = nil }()
	}
	rows := c.addedRows(f, r, "select "+strings.Join(list, ", "))
	if c.shown { // slots without telemetry are known by name alone
		for i := range rows {
			rows[i] += " where r.device is null or r.device in (select many from shown)"
		}
	}
	return strings.Join(rows, "\nunion all\n")
}
