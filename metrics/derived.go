package metrics

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"gpuledger/internal/money"
)

// Derived computes the rows of a dataset from answers of others: all of them, in any order, a value per column of
// q.Columns. What the question's measures, order and limit leave of them is the caller's to do (Query.Finish).
type Derived func(ctx context.Context, q Query, from Source) ([][]Value, error)

// Querier answers questions with the rights of the reader.
type Querier interface {
	Query(ctx context.Context, q Query) (Rows, error)
}

// Source answers what a derived dataset asks.
type Source interface {
	Querier
	// ExchangeRates are the stored rates from other currencies to one.
	ExchangeRates(ctx context.Context, to string) ([]RateSpan, error)
}

// MostDerived is how many rows of another dataset a derived one reads at once.
const MostDerived = 500_000

// An Answer is a whole answer in memory.
type Answer struct {
	Columns []Column
	Rows    [][]Value
}

// ReadAnswer asks a question and keeps its rows. More than MostDerived are an *OptionError. A context of AskOnce asks
// equal questions once.
func ReadAnswer(ctx context.Context, from Querier, q Query) (*Answer, error) {
	if o, kept := ctx.Value(onceKey{}).(*once); kept {
		return o.read(ctx, q, func() (*Answer, error) { return readAnswer(ctx, from, q) })
	}
	return readAnswer(ctx, from, q)
}

func readAnswer(ctx context.Context, from Querier, q Query) (*Answer, error) {
	rows, err := from.Query(ctx, q)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	a := &Answer{Columns: rows.Columns()}
	for rows.Next() {
		if len(a.Rows) == MostDerived {
			return nil, refuse("group-by", strings.Join(names(q.GroupBy, func(k Key) string { return k.Name }), ","),
				"makes more than %d groups; ask for fewer keys, or narrow the filter", MostDerived)
		}
		a.Rows = append(a.Rows, slices.Clone(rows.Values()))
	}
	return a, rows.Err()
}

// At is where a column is in the rows. It panics for a column that the question did not ask for.
func (a *Answer) At(name string) int {
	i := slices.IndexFunc(a.Columns, func(c Column) bool { return c.Name == name })
	if i < 0 {
		panic(fmt.Sprintf("the answer has no column %s", name))
	}
	return i
}

// Finish applies to derived rows what a statement applies to those of the database: the conditions on measures, the
// order, and the page of rows.
func (q Query) Finish(rows [][]Value) [][]Value {
	cols := q.Columns()
	at := make(map[string]int, len(cols))
	for i, c := range cols {
		at[c.Name] = i
	}
	kept := q.Having
	if !q.Dataset.Grouped && q.Filter != nil { // of others it has chosen base rows
		kept = And{q.Filter, q.Having}
	}
	if kept != nil {
		rows = slices.DeleteFunc(rows, func(row []Value) bool {
			return !Matches(kept, func(key string) (string, bool) {
				v := row[at[key]]
				return v.String(cols[at[key]].Kind), v.Valid
			})
		})
	}
	slices.SortStableFunc(rows, func(a, b []Value) int {
		for _, o := range q.Order {
			i := at[o.Column]
			if c := compareValues(cols[i].Kind, a[i], b[i], o.Desc); c != 0 {
				return c
			}
		}
		return 0
	})
	if q.After != nil {
		rows = q.afterPosition(rows, at)
	}
	rows = rows[min(q.Offset, len(rows)):]
	if q.Limit > 0 {
		rows = rows[:min(q.Limit, len(rows))]
	}
	return rows
}

// compareValues orders two cells of a column, NULLs last in either direction.
func compareValues(k Kind, a, b Value, desc bool) int {
	if a.Valid != b.Valid {
		if a.Valid {
			return -1
		}
		return 1
	}
	c := 0
	switch {
	case !a.Valid:
	case k.Decimal():
		c = money.MustParse(a.Text).Cmp(money.MustParse(b.Text))
	case k.Integer():
		c = cmp.Compare(a.Int, b.Int)
	case k == Time:
		c = a.Time.Compare(b.Time)
	case k == Bool && a.Bool != b.Bool:
		c = 1
		if b.Bool {
			c = -1
		}
	default:
		c = strings.Compare(a.Text, b.Text)
	}
	if desc {
		return -c
	}
	return c
}
