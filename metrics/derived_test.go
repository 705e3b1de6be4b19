package metrics

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// rowsOfBudgets are rows of budgets with a name, an amount, a ratio and a parent; "-" is NULL.
func rowsOfBudgets(t *testing.T, rows ...[4]string) [][]Value {
	t.Helper()
	at := map[string]int{}
	for i, c := range budgets.Columns {
		at[c.Name] = i
	}
	out := make([][]Value, len(rows))
	for i, r := range rows {
		out[i] = make([]Value, len(budgets.Columns))
		for j, name := range []string{"name", "amount", "ratio", "parent"} {
			out[i][at[name]] = Value{Valid: r[j] != "-", Text: r[j]}
		}
	}
	return out
}

// Filters, conditions on measures, orders and pages of derived rows are those of rows that a statement reads.
func TestDerivedRowsAreFinishedLikeOthers(t *testing.T) {
	rows := func() [][]Value {
		return rowsOfBudgets(t, [4]string{"b", "9", "0.9", "-"}, [4]string{"a", "10", "1", "x"}, [4]string{"c", "10", "-", "-"},
			[4]string{"d", "100", "0.1", "x"})
	}
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{}, "a b c d"},
		{Options{Order: "-amount"}, "d a c b"},   // numbers, not texts; equal ones by the default order
		{Options{Order: "ratio"}, "d b a c"},     // NULL comes last
		{Options{Order: "-ratio"}, "a b d c"},    // in either direction
		{Options{Filter: "ratio >= 0.9"}, "a b"}, // a measure
		{Options{Filter: "name in (b, d)"}, "b d"},
		{Options{Filter: "parent is null"}, "b c"},
		{Options{Filter: "not parent = x or amount > 50", Order: "amount", Limit: "2"}, "b c"},
	} {
		q, err := Parse("budgets", c.o)
		if err != nil {
			t.Fatalf("%+v: %v", c.o, err)
		}
		if got := shownNames(q, q.Finish(rows())); got != c.want {
			t.Errorf("%+v: %s, want %s", c.o, got, c.want)
		}
	}
	q, err := Parse("budgets", Options{Limit: "2"})
	if err != nil {
		t.Fatal(err)
	}
	q.Offset = 3
	if got := shownNames(q, q.Finish(rows())); got != "d" {
		t.Errorf("the second page is %q", got)
	}
	if q.Offset = 9; len(q.Finish(rows())) != 0 {
		t.Error("there are rows after the last")
	}
}

func shownNames(q Query, rows [][]Value) string {
	var list []string
	for _, row := range rows {
		for i, c := range q.Columns() {
			if c.Name == "name" {
				list = append(list, row[i].Text)
			}
		}
	}
	return strings.Join(list, " ")
}

// endless is a source whose answers are longer than a derived dataset reads.
type endless struct{ left int }

func (e *endless) Query(_ context.Context, q Query) (Rows, error) {
	return &endlessRows{endless: e, columns: q.Columns()}, nil
}

func (e *endless) ExchangeRates(context.Context, string) ([]RateSpan, error) { return nil, nil }

type endlessRows struct {
	*endless
	columns []Column
}

func (r *endlessRows) Columns() []Column { return r.columns }
func (r *endlessRows) Next() bool        { r.left--; return r.left >= 0 }
func (r *endlessRows) Values() []Value   { return make([]Value, 1) }
func (r *endlessRows) Err() error        { return errors.New("it was read to the end") }
func (r *endlessRows) Close()            {}

func TestDerivedDatasetsReadABoundedNumberOfRows(t *testing.T) {
	q, err := Parse("costs", Options{GroupBy: "pod,device"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = ReadAnswer(t.Context(), &endless{MostDerived + 1}, q)
	var refused *OptionError
	if !errors.As(err, &refused) || refused.Option != "group-by" || !strings.Contains(err.Error(), fmt.Sprint(MostDerived)) {
		t.Errorf("%v", err)
	}
}
