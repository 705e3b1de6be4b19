package metrics

import (
	"context"
	"testing"
	"time"

	"gpuledger/internal/period"
)

// priced is a source of rates: type, region, price, start.
type priced [][4]string

func (priced) ExchangeRates(context.Context, string) ([]RateSpan, error) { return nil, nil }

func (p priced) Query(_ context.Context, q Query) (Rows, error) {
	var rows [][]Value
	for _, r := range p {
		row := make([]Value, len(q.Columns()))
		for i, c := range q.Columns() {
			text := map[string]string{
				"instance_type": r[0], "region": r[1], "price_class": "on_demand", "price": r[2], "currency": "USD",
			}[c.Name]
			row[i] = Value{Valid: text != "", Text: text}
			if c.Name == "valid_from" && r[3] != "" {
				row[i].Time, _ = time.Parse(time.DateOnly, r[3])
				row[i].Valid = true
			}
		}
		rows = append(rows, row)
	}
	return NewSliceRows(q.Columns(), rows), nil
}

// A price that replaces another is an event at its start; the first price of a type and a repeated price are none.
func TestChangedPricesAreEvents(t *testing.T) {
	list, err := priceChanges(t.Context(), period.Interval{}, priced{
		{"p4", "eu", "10", "2026-11-02"},
		{"p5", "", "98.32", "2026-10-01"}, {"p5", "", "88.49", "2026-11-01"}, {"p5", "", "98.32", ""},
		{"p5", "eu", "90", "2026-11-03"}, {"p5", "eu", "95.5", "2026-11-04"},
	})
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v %v", list, err)
	}
	for i, want := range []string{
		"2026-11-01T00:00:00Z p5, on demand: 98.32 → 88.49 USD an hour",
		"2026-11-04T00:00:00Z p5 in eu, on demand: 90 → 95.5 USD an hour",
	} {
		e := list[i]
		if got := e.At.String() + " " + e.Text; got != want || e.Key != "instance_type" || e.Value != "p5" ||
			e.Source != "price book" {
			t.Errorf("%+v, want %s", e, want)
		}
	}
}
