package dashboard

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/metrics/fleet"
	"gpuledger/metrics/timeline"
)

// Reader is what pages read.
type Reader interface {
	// Query answers a report; the same figures as API and exports.
	Query(ctx context.Context, q metrics.Query) (metrics.Rows, error)
	// Explain answers what metrics.ParseSubject reads; a *metrics.NotFoundError
	// when the ledger does not hold it.
	Explain(ctx context.Context, subject string) (*metrics.Explanation, error)
	// Version says which policy and generation figures are of.
	Version(ctx context.Context) (metrics.Version, error)
	// Extent is [first, last) of the hours in which anything ran, of those
	// with money where nothing did, empty without any.
	Extent(ctx context.Context) (period.Interval, error)
	// RunTimeline is what the run page draws.
	RunTimeline(ctx context.Context, runID string) (timeline.Run, error)
	// RunLines are the largest bill lines behind a run.
	RunLines(ctx context.Context, runID string, limit int) (timeline.Lines, error)
	// Fleet is what machines do now, from facts alone.
	Fleet(ctx context.Context, q fleet.Question) (fleet.Snapshot, error)
	// FleetDevice is the last hour of one device and the layouts it had; false
	// when no such device was ever seen.
	FleetDevice(ctx context.Context, now period.Second, uuid string) (fleet.DeviceDetail, bool, error)
}

// record reads the columns of a row by name. A column that the dataset does
// not have reads as unknown.
type record struct {
	at     map[string]int
	values []metrics.Value
	left   *unasked // columns that the question left out; may be nil
}

func (r record) value(name string) metrics.Value {
	if i, ok := r.at[name]; ok {
		return r.values[i]
	}
	r.left.read(name)
	return metrics.Null
}

// unasked are the columns that a question left out, and those of them that were
// read all the same: a mistake of the page, which shows what it did not ask for
// as unknown.
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

// has reports whether the dataset has the column.
func (r record) has(name string) bool {
	_, ok := r.at[name]
	return ok
}

// readUnasked are the columns that were read though the question left them out.
func (r record) readUnasked() []string {
	if r.left == nil {
		return nil
	}
	return r.left.seen
}

func (r record) text(name string) string { return r.value(name).Text }

func (r record) count(name string) int64 { return r.value(name).Int }

// second returns 0 when the time is unknown.
func (r record) second(name string) period.Second {
	v := r.value(name)
	if !v.Valid {
		return 0
	}
	return period.FromTime(v.Time)
}

// amount returns nil when the value is unknown.
func (r record) amount(name string) *money.Amount {
	v := r.value(name)
	if !v.Valid {
		return nil
	}
	a, err := money.Parse(v.Text)
	if err != nil { // the read model writes plain decimals
		return nil
	}
	return &a
}

// known is amount with 0 for unknown: for parts of a whole that is known, and for
// what is left out at 0. A sentence never says it by itself.
func (r record) known(name string) money.Amount {
	if a := r.amount(name); a != nil {
		return *a
	}
	return money.Amount{}
}

// each asks for a dataset and calls f for each row. only names the computed
// columns that f reads; none: all.
func each(ctx context.Context, reader Reader, dataset string, o metrics.Options, only []string, f func(record) error) error {
	q, err := metrics.Parse(dataset, o)
	if err != nil {
		return err
	}
	q.Only = only
	return eachOf(ctx, reader, q, f)
}

// eachOf is each for a question that is already parsed.
func eachOf(ctx context.Context, reader Reader, q metrics.Query, f func(record) error) error {
	dataset := q.Dataset.Name
	rows, err := reader.Query(ctx, q)
	if err != nil {
		return fmt.Errorf("read %s: %w", dataset, err)
	}
	defer rows.Close()
	r := record{at: map[string]int{}, left: leftOutOf(q)}
	for i, c := range rows.Columns() {
		r.at[c.Name] = i
	}
	for rows.Next() {
		r.values = rows.Values()
		if err := f(r); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read %s: %w", dataset, err)
	}
	return nil
}

// largest lists the keys of sums by their size, the largest first.
func largest(sums map[string]money.Amount) []string {
	return slices.SortedFunc(maps.Keys(sums), func(a, b string) int {
		return cmp.Or(sums[b].Cmp(sums[a]), cmp.Compare(a, b))
	})
}

// gather asks and keeps all rows.
func gather(ctx context.Context, reader Reader, q metrics.Query) ([]record, error) {
	var out []record
	err := eachOf(ctx, reader, q, func(r record) error {
		out = append(out, record{at: r.at, values: slices.Clone(r.values), left: r.left})
		return nil
	})
	return out, err
}

func add(sum *money.Amount, a money.Amount) { *sum = sum.Add(a) }
