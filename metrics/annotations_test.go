package metrics

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// A step counts from equality, on its first day; a credit that lowers the spend does not undo or repeat it.
func TestBudgetStepsAreReachedOnce(t *testing.T) {
	spent := func(sums ...string) (days []daySpend) {
		for i, sum := range sums {
			days = append(days, daySpend{period.Second(i) * period.Day, money.MustParse(sum)})
		}
		return days
	}
	for _, c := range []struct {
		days []daySpend
		want string
	}{
		{spent("79.999999999999"), ""},
		{spent("79.999999999999", "0.000000000001"), "1:80"},
		{spent("80", "-10", "10", "20"), "0:80 3:100"},
		{spent("10", "500"), "1:80 1:100 1:120"},
		{spent("-5", "0"), ""},
		{nil, ""},
	} {
		var got []string
		ask := asked{key: "team", unit: "money", currency: "USD"}
		for _, a := range ask.reached(limit{"b", "v", money.MustParse("100"), []int64{80, 100, 120}}, c.days) {
			share, _, _ := strings.Cut(strings.TrimPrefix(a.Text, "budget b reached "), " %")
			got = append(got, fmt.Sprintf("%d:%s", a.At/period.Day, share))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v: %q, want %q", c.days, got, c.want)
		}
	}
}

// What is known of a row decides a filter if no other value can change the outcome.
func TestFiltersDecidedByFewValues(t *testing.T) {
	for text, want := range map[string]string{
		"kind = close": "true true", "kind = deploy": "false false", "kind in (deploy, close)": "true true",
		"kind = deploy or team = x": "true false", "kind = deploy and team = x": "false false",
		"not kind = deploy": "true true", "not (kind = close and team = x)": "true false", "team = x": "true false",
	} {
		e, err := ParseFilter(text)
		if err != nil {
			t.Fatal(err)
		}
		if may, must := decided(e, map[string]string{"kind": "close"}); fmt.Sprint(may, " ", must) != want {
			t.Errorf("%s: %t %t, want %s", text, may, must, want)
		}
	}
	if may, must := decided(nil, nil); !may || !must {
		t.Error("no filter matches all")
	}
}

// eventful is a source with interruptions that refuses statements, and records which datasets were read.
type eventful struct {
	taken [][2]string // time, node
	asked []string
}

func (e *eventful) ExchangeRates(context.Context, string) ([]RateSpan, error) { return nil, nil }

func (e *eventful) Query(_ context.Context, q Query) (Rows, error) {
	e.asked = append(e.asked, q.Dataset.Name)
	if q.Dataset == &statements {
		return nil, fmt.Errorf("report statements: %w", &access.ScopeError{What: "dataset statements"})
	}
	if q.Dataset != &interruptions {
		return NewSliceRows(q.Columns(), nil), nil
	}
	var rows [][]Value
	for _, taken := range e.taken {
		at, err := time.Parse(time.RFC3339, taken[0])
		if err != nil {
			return nil, err
		}
		row := make([]Value, len(q.Columns()))
		for i, c := range q.Columns() {
			switch c.Name {
			case "at":
				row[i] = Value{Valid: true, Time: at}
			case "node":
				row[i] = Value{Valid: true, Text: taken[1]}
			case "cluster":
				row[i] = Value{Valid: true, Text: "c1"}
			}
		}
		rows = append(rows, row)
	}
	return NewSliceRows(q.Columns(), rows), nil
}

// Six machines of a cluster in one hour are a storm, five are none, and a machine with several rows counts once.
func TestStormsOfInterruptions(t *testing.T) {
	var e eventful
	for i := range PilotAlarm + 1 {
		e.taken = append(e.taken, [2]string{"2026-11-03T08:59:59Z", fmt.Sprint("n", i)})
		e.taken = append(e.taken, [2]string{"2026-11-03T10:00:00Z", fmt.Sprint("n", min(i, PilotAlarm-1))})
	}
	list, err := storms(t.Context(), period.Interval{}, &e)
	if err != nil || len(list) != 1 || list[0].At.String() != "2026-11-03T08:00:00Z" ||
		list[0].Until.String() != "2026-11-03T09:00:00Z" || list[0].Key != "cluster" || list[0].Value != "c1" ||
		!strings.HasPrefix(list[0].Text, "6 ") {
		t.Errorf("%+v %v", list, err)
	}
}

// A dataset that refuses a scoped user leaves its events out; a filter that excludes a kind reads nothing for it.
func TestAnnotationsReadOnlyWhatCounts(t *testing.T) {
	for filter, want := range map[string]string{
		"":                              "budget_versions interruptions rates statements stored_annotations",
		"kind = close":                  "statements stored_annotations",
		"kind = deploy":                 "stored_annotations",
		"kind = close and source = ci":  "stored_annotations",
		"source = ledger":               "budget_versions interruptions statements stored_annotations",
		"kind = price":                  "rates stored_annotations",
		"source = 'price book'":         "rates stored_annotations",
		"kind in (interruptions, note)": "interruptions stored_annotations",
	} {
		q, err := Parse("annotations", Options{Filter: filter})
		if err != nil {
			t.Fatal(err)
		}
		var e eventful
		rows, err := annotationRows(t.Context(), q, &e)
		slices.Sort(e.asked)
		if got := strings.Join(e.asked, " "); err != nil || len(rows) != 0 || got != want {
			t.Errorf("%q: asked %q, want %q: %v %v", filter, got, want, rows, err)
		}
	}
}

func TestAnnotationsOfAWindow(t *testing.T) {
	for _, c := range []struct {
		at, until, from, to period.Second
		want                bool
	}{
		{10, 0, 10, 11, true}, {10, 0, 9, 10, false}, {10, 0, 11, 12, false}, {10, 0, 0, 0, true},
		{10, 20, 15, 16, true}, {10, 20, 20, 21, false}, {10, 20, 0, 11, true}, {10, 10, 10, 11, true},
	} {
		a := ledger.Annotation{At: c.at, Until: c.until}
		if a.Overlaps(period.Interval{From: c.from, To: c.to}) != c.want {
			t.Errorf("%+v", c)
		}
	}
}
