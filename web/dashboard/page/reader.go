package page

import (
	"context"
	"fmt"
	"slices"

	"gpuledger/internal/access"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/metrics/fleet"
	"gpuledger/metrics/timeline"
)

// Reader is the read model of the pages.
type Reader interface {
	// Query answers a report with the same figures as the API and exports.
	Query(ctx context.Context, q metrics.Query) (metrics.Rows, error)
	// ExchangeRates are the stored rates from other currencies to one.
	ExchangeRates(ctx context.Context, to string) ([]metrics.RateSpan, error)
	// ExplainLevel explains a subject of metrics.ParseSubject; figures of reports by one
	// metrics.Level, with rows from first on. It returns a *metrics.NotFoundError if the
	// ledger does not have the subject.
	ExplainLevel(ctx context.Context, subject string, first int) (*metrics.Explanation, error)
	// Version is the policy and the generation of the figures.
	Version(ctx context.Context) (metrics.Version, error)
	// Conditions are those of a viewer's scope; none if the viewer sees everything.
	Conditions(ctx context.Context, v *access.Viewer) ([]string, error)
	// Extent is the time that the ledger covers.
	Extent(ctx context.Context) (metrics.Extent, error)
	// Find lists at most most names of each kind that contain a text, best matches first.
	Find(ctx context.Context, text string, most int) ([]metrics.Found, error)
	// RunTimeline is the data of a run's time line.
	RunTimeline(ctx context.Context, runID string) (timeline.Run, error)
	// RunLines are the largest bill lines behind a run.
	RunLines(ctx context.Context, runID string, limit int) (timeline.Lines, error)
	// Fleet is the state of machines now, from facts alone.
	Fleet(ctx context.Context, q fleet.Question) (fleet.Snapshot, error)
	// FleetDevice is the last hour of one device and its layouts; false if no such device
	// was ever seen.
	FleetDevice(ctx context.Context, now period.Second, uuid string) (fleet.DeviceDetail, bool, error)
}

// Record reads the columns of a row by name. A column that the dataset lacks reads as
// unknown.
type Record struct {
	At     map[string]int
	Values []metrics.Value
	left   *unasked // columns that the query omitted; may be nil
	madeUp func(column string) metrics.Value
}

// MadeUp is a sample row: cell returns the value of a column when it is read.
func MadeUp(cell func(column string) metrics.Value) Record { return Record{madeUp: cell} }

// Value is null if the dataset lacks the column.
func (r Record) Value(name string) metrics.Value {
	if r.madeUp != nil {
		return r.madeUp(name)
	}
	if i, ok := r.At[name]; ok {
		return r.Values[i]
	}
	r.left.read(name)
	return metrics.Null
}

// unasked records the columns that a query omitted, and those of them that were read
// anyway. That is a bug of the page, which then shows them as unknown.
type unasked struct {
	names []string
	seen  []string
}

func (u *unasked) read(name string) {
	if u != nil && slices.Contains(u.names, name) && !slices.Contains(u.seen, name) {
		u.seen = append(u.seen, name)
	}
}

// leftOutOf lists the columns of q's answer that its Only leaves out.
func leftOutOf(q metrics.Query) *unasked {
	if len(q.Only) == 0 {
		return nil
	}
	all := q
	all.Only = nil
	asked, u := q.Columns(), &unasked{}
	for _, c := range all.Columns() {
		if !slices.ContainsFunc(asked, func(have metrics.Column) bool { return have.Name == c.Name }) {
			u.names = append(u.names, c.Name)
		}
	}
	return u
}

// Has reports whether the dataset has the column.
func (r Record) Has(name string) bool {
	_, ok := r.At[name]
	return ok || r.madeUp != nil && r.madeUp(name).Valid
}

// ReadUnasked lists the columns that were read although the query omitted them.
func (r Record) ReadUnasked() []string {
	if r.left == nil {
		return nil
	}
	return r.left.seen
}

// Text is empty when the value is unknown.
func (r Record) Text(name string) string { return r.Value(name).Text }

// Count is 0 when the value is unknown.
func (r Record) Count(name string) int64 { return r.Value(name).Int }

// Second returns 0 when the time is unknown.
func (r Record) Second(name string) period.Second {
	v := r.Value(name)
	if !v.Valid {
		return 0
	}
	return period.FromTime(v.Time)
}

// Amount returns nil when the value is unknown.
func (r Record) Amount(name string) *money.Amount {
	v := r.Value(name)
	if !v.Valid {
		return nil
	}
	a, err := money.Parse(v.Text)
	if err != nil { // the read model writes plain decimals
		return nil
	}
	return &a
}

// Known is Amount with 0 for unknown. Use it for parts of a known total and for figures that
// are omitted at 0, never alone in a sentence.
func (r Record) Known(name string) money.Amount {
	if a := r.Amount(name); a != nil {
		return *a
	}
	return money.Amount{}
}

// Each queries a dataset and calls f for each row. only names the computed columns that f
// reads; nil means all.
func Each(
	ctx context.Context, reader Reader, dataset string, o metrics.Options, only []string, f func(Record) error,
) error {
	q, err := metrics.Parse(dataset, o)
	if err != nil {
		return err
	}
	q.Only = only
	return EachOf(ctx, reader, q, f)
}

// EachOf is Each for a parsed query.
func EachOf(ctx context.Context, reader Reader, q metrics.Query, f func(Record) error) error {
	dataset := q.Dataset.Name
	rows, err := reader.Query(ctx, q)
	if err != nil {
		return fmt.Errorf("read %s: %w", dataset, err)
	}
	defer rows.Close()
	r := Record{At: map[string]int{}, left: leftOutOf(q)}
	for i, c := range rows.Columns() {
		r.At[c.Name] = i
	}
	for rows.Next() {
		r.Values = rows.Values()
		if err := f(r); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read %s: %w", dataset, err)
	}
	return nil
}

// Gather returns all rows of a query.
func Gather(ctx context.Context, reader Reader, q metrics.Query) ([]Record, error) {
	var out []Record
	err := EachOf(ctx, reader, q, func(r Record) error {
		out = append(out, Record{At: r.At, Values: slices.Clone(r.Values), left: r.left})
		return nil
	})
	return out, err
}

// Add adds an amount to a sum.
func Add(sum *money.Amount, a money.Amount) { *sum = sum.Add(a) }
