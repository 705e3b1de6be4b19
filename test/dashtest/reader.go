package dashtest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"sort"
	"strconv"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/metrics/timeline"
)

// First and Last bound the invented data: 1 November to 19 November 2026, 14:00 UTC.
const (
	First = period.Second(1793491200)
	Last  = First + 18*period.Day + 14*period.Hour
)

// Row is one value per column name: money.Amount, string, int64, period.Second
// or nil for unknown.
type Row map[string]any

// Reader answers from rows in memory. Err, by dataset, makes a dataset fail.
type Reader struct {
	Tables map[string][]Row
	Lines  map[string]timeline.Run
	Err    map[string]error
	Empty  bool // nothing was ever imported
	Found  []metrics.Found
	// Scope are the conditions of a scoped viewer.
	Scope []string
	// Rates are the stored rates, by the currency that they convert to.
	Rates map[string][]metrics.RateSpan
	// Explained are the answers of Explain.
	Explained map[string]*metrics.Explanation
}

// Find lists what Found has, whatever the text.
func (r *Reader) Find(_ context.Context, _ string, _ int) ([]metrics.Found, error) {
	return r.Found, r.Err["found"]
}

// Conditions are those that the viewer has.
func (r *Reader) Conditions(context.Context, *access.Viewer) ([]string, error) {
	return r.Scope, r.Err["conditions"]
}

// Query implements dashboard.Reader for the groupings that pages use.
func (r *Reader) Query(_ context.Context, q metrics.Query) (metrics.Rows, error) {
	if err := r.Err[q.Dataset.Name]; err != nil {
		return nil, err
	}
	rows := r.Tables[q.Dataset.Name]
	if r.Empty {
		rows = nil
	}
	var kept []Row
	for _, row := range rows {
		if month, ok := row["billing_period"].(string); ok && q.BillingPeriod != "" && month != string(q.BillingPeriod) {
			continue
		}
		if matches(row, q.Filter) && matches(row, q.Having) && inWindow(row, q.Window) {
			kept = append(kept, row)
		}
	}
	switch {
	case q.Dataset.Name == "costs":
		kept = group(kept, q)
	case q.Dataset.Name == "runs" && len(q.GroupBy) == 1 && q.GroupBy[0].Name == "currency" && single(kept):
		kept = whole(kept)
	default:
		order(kept, q.Order)
	}
	kept = kept[min(q.Offset, len(kept)):]
	if q.Limit > 0 {
		kept = kept[:min(q.Limit, len(kept))]
	}
	cols := q.Columns()
	out := make([][]metrics.Value, 0, len(kept))
	for _, row := range kept {
		values := make([]metrics.Value, len(cols))
		for i, c := range cols {
			values[i] = value(row[c.Name])
		}
		out = append(out, values)
	}
	return metrics.NewSliceRows(cols, out), nil
}

// ExchangeRates implements dashboard.Reader.
func (r *Reader) ExchangeRates(_ context.Context, to string) ([]metrics.RateSpan, error) {
	return r.Rates[to], r.Err["rates"]
}

func inWindow(row Row, w period.Interval) bool {
	if at, ok := row["period_start"].(period.Second); ok {
		return (w.From == 0 || at >= w.From) && (w.To == 0 || at < w.To)
	}
	from, ok := row["started_at"].(period.Second)
	if !ok {
		return true
	}
	to, ok := row["ended_at"].(period.Second)
	return (w.To == 0 || from < w.To) && (!ok || w.From == 0 || to > w.From)
}

func matches(row Row, e metrics.Expr) bool {
	return metrics.Matches(e, func(key string) (string, bool) {
		switch v := value(row[key]); {
		case !v.Valid:
			return "", false
		case !v.Time.IsZero():
			return v.Time.Format(time.RFC3339Nano), true
		case v.Text == "":
			return strconv.FormatInt(v.Int, 10), true
		default:
			return v.Text, true
		}
	})
}

func group(rows []Row, q metrics.Query) []Row {
	index := map[string]Row{}
	var out []Row
	for _, row := range rows {
		at := row["period_start"].(period.Second)
		switch q.Granularity {
		case metrics.Total:
			at = First
		case metrics.Month:
			at = period.MonthOf(at).From
		}
		key := []any{at, row["currency"]}
		g := Row{"period_start": at, "currency": row["currency"], "state": row["state"]}
		for _, k := range q.GroupBy {
			g[k.Name] = row[k.Name]
			key = append(key, "\x00", row[k.Name])
		}
		name := fmt.Sprint(key...)
		have, ok := index[name]
		if !ok {
			have = g
			index[name] = g
			out = append(out, g)
		}
		for name, v := range row {
			if a, ok := v.(money.Amount); ok {
				sum, _ := have[name].(money.Amount)
				have[name] = sum.Add(a)
			}
		}
	}
	for _, g := range out {
		cost, priced := g[string(q.Basis)].(money.Amount)
		if hours, ok := g["active_gpu_hours"].(money.Amount); ok && priced && !hours.IsZero() {
			g["cost_per_active_gpu_hour"] = cost.MulRat(new(big.Rat).Inv(hours.Rat()))
		}
	}
	return out
}

// single reports whether rows are runs, as opposed to groups of them.
func single(rows []Row) bool { return len(rows) > 0 && rows[0]["run_id"] != nil }

// whole are runs added up by currency.
func whole(rows []Row) (out []Row) {
	index := map[any]Row{}
	for _, row := range rows {
		sum, ok := index[row["currency"]]
		if !ok {
			sum = Row{"currency": row["currency"], "runs": int64(0), "failed_runs": int64(0)}
			index[row["currency"]], out = sum, append(out, sum)
		}
		sum["runs"] = sum["runs"].(int64) + 1
		if row["status"] == "failed" {
			sum["failed_runs"] = sum["failed_runs"].(int64) + 1
		}
		for name, v := range row {
			if a, ok := v.(money.Amount); ok {
				had, _ := sum[name].(money.Amount)
				sum[name] = had.Add(a)
			}
		}
	}
	return out
}

func order(rows []Row, terms []metrics.Order) {
	sort.SliceStable(rows, func(i, j int) bool {
		for _, t := range terms {
			c := compare(rows[i][t.Column], rows[j][t.Column])
			if c != 0 {
				return (c < 0) != t.Desc
			}
		}
		return false
	})
}

func compare(a, b any) int {
	switch a := a.(type) {
	case money.Amount:
		b, _ := b.(money.Amount)
		return a.Cmp(b)
	case int64:
		b, _ := b.(int64)
		return int(a - b)
	case period.Second:
		b, _ := b.(period.Second)
		return int(a - b)
	case string:
		b, _ := b.(string)
		switch {
		case a < b:
			return -1
		case a > b:
			return 1
		}
	}
	return 0
}

func value(v any) metrics.Value {
	switch v := v.(type) {
	case string:
		if v == "" {
			return metrics.Null
		}
		return metrics.Value{Valid: true, Text: v}
	case money.Amount:
		return metrics.Value{Valid: true, Text: v.String()}
	case int64:
		return metrics.Value{Valid: true, Int: v}
	case period.Second:
		return metrics.Value{Valid: true, Time: time.Unix(int64(v), 0).UTC()}
	}
	return metrics.Null
}

// Version implements dashboard.Reader.
func (r *Reader) Version(context.Context) (metrics.Version, error) {
	return metrics.Version{Tag: "fixture", Generation: 7, Policy: "v1"}, nil
}

// Extent implements dashboard.Reader.
func (r *Reader) Extent(context.Context) (metrics.Extent, error) {
	if err := r.Err["extent"]; err != nil {
		return metrics.Extent{}, err
	}
	if r.Empty {
		return metrics.Extent{}, nil
	}
	return metrics.Extent{Stored: period.Interval{From: First, To: Last}, Data: Last, Seen: Last}, nil
}

// Window implements api.Reader.
func (r *Reader) Window(ctx context.Context, d *metrics.Dataset) (metrics.DataWindow, error) {
	extent, err := r.Extent(ctx)
	return metrics.DataWindow{Interval: extent.Stored, Any: d.Windowed && !extent.Empty()}, err
}

// RunTimeline implements dashboard.Reader.
func (r *Reader) RunTimeline(_ context.Context, id string) (timeline.Run, error) {
	return r.Lines[id], r.Err["timeline"]
}

// RunLines implements dashboard.Reader.
func (r *Reader) RunLines(_ context.Context, _ string, limit int) (timeline.Lines, error) {
	l := timeline.Lines{Total: 412}
	for i := range min(limit, 4) {
		l.Top = append(l.Top, timeline.Line{
			ChargeID: ledger.NewID("charge", fmt.Sprint(i)), File: "cur2-2026-11-00003.parquet",
			Line: int64(18204 + i), Currency: "USD", Effective: money.MustParse("24.48"),
		})
	}
	return l, nil
}

// ExplainLevel implements dashboard.Reader.
func (r *Reader) ExplainLevel(ctx context.Context, subject string, _ int) (*metrics.Explanation, error) {
	return r.Explain(ctx, subject)
}

// WriteWhole implements api.Reader.
func (r *Reader) WriteWhole(ctx context.Context, w io.Writer, subject string) error {
	e, err := r.Explain(ctx, subject)
	if err != nil {
		return err
	}
	return json.NewEncoder(w).Encode(e)
}

// Explain implements api.Reader.
func (r *Reader) Explain(_ context.Context, subject string) (*metrics.Explanation, error) {
	if _, err := metrics.ParseSubject(subject); err != nil {
		return nil, err
	}
	if e, ok := r.Explained[subject]; ok {
		return e, nil
	}
	return nil, &metrics.NotFoundError{Subject: subject}
}
