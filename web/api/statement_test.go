package api

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"gpuledger/metrics"
	"gpuledger/metrics/statement"
	"gpuledger/web/paper"
)

// billed is a reader with one row of costs of team speech in October.
type billed struct{ fakeReader }

func (*billed) Query(_ context.Context, q metrics.Query) (metrics.Rows, error) {
	var rows [][]metrics.Value
	if q.BillingPeriod == "2026-10" && named(q.Filter, "speech") {
		row := make([]metrics.Value, len(q.Columns()))
		for i, c := range q.Columns() {
			text := map[string]string{"currency": "USD", "team": "speech", "kind": "direct", "effective_cost": "12.5"}[c.Name]
			row[i] = metrics.Value{Valid: text != "", Text: text, Time: time.Unix(1_790_812_800, 0)}
		}
		rows = append(rows, row)
	}
	return metrics.NewSliceRows(q.Columns(), rows), nil
}

// named reports whether a filter keeps rows of a team.
func named(filter metrics.Expr, team string) bool {
	return metrics.Matches(filter, func(key string) (string, bool) { return team, key == "team" })
}

func TestStatementOverHTTPIsTheCommands(t *testing.T) {
	reader := &billed{}
	s := serve(t, reader)
	q, err := statement.Parse("team=speech", "2026-10", "")
	if err != nil {
		t.Fatal(err)
	}
	one, err := statement.Build(t.Context(), reader, q)
	if err != nil {
		t.Fatal(err)
	}
	const path = "/api/v1/statement?owner=team%3Dspeech&billing_period=2026-10"
	for _, f := range statement.Formats {
		var want strings.Builder
		if err := paper.Write(&want, one, f, false); err != nil {
			t.Fatal(err)
		}
		got := get(t, s, http.MethodGet, path+"&format="+string(f))
		if got.StatusCode != http.StatusOK || got.body != want.String() ||
			got.Header.Get("Content-Type") != f.ContentType() {
			t.Errorf("%s: %d %s\n%s", f, got.StatusCode, got.Header.Get("Content-Type"), got.body)
		}
	}
	tag := get(t, s, http.MethodGet, path).Header.Get("ETag")
	if got := get(t, s, http.MethodGet, path, "If-None-Match", tag); got.StatusCode != http.StatusNotModified {
		t.Errorf("unchanged: %d", got.StatusCode)
	}
	for query, want := range map[string]int{
		"owner=team%3Dvision&billing_period=2026-10":                        http.StatusNotFound,
		"owner=team%3Dspeech&billing_period=2026-09":                        http.StatusNotFound,
		"billing_period=2026-10":                                            http.StatusBadRequest,
		"owner=team%3Dspeech":                                               http.StatusBadRequest,
		"owner=team%3Dspeech&billing_period=2026-10&format=docx":            http.StatusBadRequest,
		"owner=team%3Dspeech&billing_period=2026-10&team=speech":            http.StatusBadRequest,
		"owner=team%3Dspeech&owner=team%3Dx&billing_period=2026-10":         http.StatusBadRequest,
		"owner=team%3Dspeech&billing-period=2026-10&billing_period=2026-10": http.StatusBadRequest,
	} {
		got := get(t, s, http.MethodGet, "/api/v1/statement?"+query)
		if got.StatusCode != want || got.Header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d %s", query, got.StatusCode, got.body)
		}
	}
}
