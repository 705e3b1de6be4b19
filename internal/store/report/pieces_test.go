package report_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/store/report"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// An export in pieces, which looks names up by id, has the rows of one statement that joins all names: for filters on
// looked-up names, cut windows, other orders, and within a scope. A page's limit makes it one statement.
func TestPiecesHaveTheRowsOfOneStatement(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, `update posting_rows set node_id = md5('gone')::uuid where ctid in (
		select ctid from posting_rows where node_id is not null limit 1)`)
	lead := storetest.InPart(t, s, "team = 'research'")
	for _, dataset := range []string{"postings", "usage"} {
		for _, o := range []metrics.Options{
			{}, {Filter: "team = research or team = unowned"}, {Filter: "node is null"}, {From: "2026-11-02T11:00:00Z"},
			{To: "2026-11-02T11:30:00Z", Filter: "gpu_hours > 0"}, {From: "2027-01-01"}, {Order: "hour"},
		} {
			for name, ctx := range map[string]context.Context{"all": t.Context(), "lead": lead} {
				many := o
				many.Limit = "100000"
				pieces, one := tableOf(ctx, t, s.Query, dataset, o), tableOf(ctx, t, s.Query, dataset, many)
				if !slices.EqualFunc(pieces, one, maps.Equal[map[string]string, map[string]string]) {
					t.Errorf("%s of %s, %+v: pieces have %d rows, one statement %d, and they differ:\n%v\n%v", dataset, name, o,
						len(pieces), len(one), pieces, one)
				}
				if o == (metrics.Options{}) && len(pieces) < 2 {
					t.Errorf("%s of %s: only %d rows", dataset, name, len(pieces))
				}
			}
		}
	}
	want := tableOf(t.Context(), t, s.Query, "postings", metrics.Options{})
	defer report.TinyPages()()
	if got := tableOf(t.Context(), t, s.Query, "postings", metrics.Options{}); len(got) < 2 ||
		!slices.EqualFunc(got, want, maps.Equal[map[string]string, map[string]string]) {
		t.Errorf("with a page for each row:\n%v\nwant\n%v", got, want)
	}
	if n := len(tableOf(t.Context(), t, s.Query, "postings", metrics.Options{BillingPeriod: "2026-11"})); n < 2 {
		t.Errorf("%d postings of a billing period", n)
	}
}

// The server does not join tables of which an export reads nothing, so that names cost nothing per row.
func TestPiecesReadNoNames(t *testing.T) {
	s := storetest.SmallLedger(t)
	q, err := metrics.Parse("postings", metrics.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := s.Pool.Query(t.Context(), "explain "+report.PieceSQL(q))
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var plan []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		plan = append(plan, line)
	}
	text := strings.Join(plan, "\n")
	if err := rows.Err(); err != nil || !strings.Contains(text, "posting_rows") {
		t.Fatal(text, err)
	}
	for _, table := range []string{"owners", "nodes", "workloads", "posting_terms"} {
		if strings.Contains(text, table) {
			t.Errorf("the server reads %s:\n%s", table, text)
		}
	}
}

// An export that is closed early frees its transaction.
func TestPiecesCloseEarly(t *testing.T) {
	s := storetest.SmallLedger(t)
	q, err := metrics.Parse("postings", metrics.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tx, err := s.BeginRead(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		rows, err := report.Ask(t.Context(), tx, q)
		if err != nil || !rows.Next() {
			t.Fatal(err)
		}
		rows.Close()
		rows.Close()
		if rows.Next() || rows.Err() != nil {
			t.Error("closed rows go on", rows.Err())
		}
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Error(err)
	}
}
