package report_test

import (
	"context"
	"slices"
	"testing"

	"gpuledger/internal/period"
	"gpuledger/internal/store/storetest"
	"gpuledger/metrics"
)

// TestModelsInPart: models are added up by owner, wherever: who sees owners in one cluster
// is answered from the ledger, with the same figure.
func TestModelsInPart(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.RollNovember(t, s)
	q, err := metrics.Parse("models", metrics.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for scope, want := range map[string]string{
		"team = 'research'":                       "16.385",
		"team = 'research' and cluster = 'prod'":  "16.385",
		"team = 'research' and cluster = 'other'": "",
		"cluster = 'prod'":                        "16.385",
		"team is null":                            "",
		"team = 'research' and environment = 'x'": "",
	} {
		rows, err := s.Query(storetest.InPart(t, s, scope), q)
		if err != nil {
			t.Fatal(scope, err)
		}
		got := ""
		for rows.Next() {
			for i, c := range rows.Columns() {
				if v := rows.Values()[i]; c.Name == "effective_cost" && v.Valid {
					got += v.String(c.Kind)
				}
			}
		}
		if rows.Close(); rows.Err() != nil || got != want {
			t.Errorf("%s: models cost %q, want %q: %v", scope, got, want, rows.Err())
		}
	}
}

// TestSpotByHourInPart: who sees a part is answered by hour of the day from what was added
// up by owner, as from the ledger.
func TestSpotByHourInPart(t *testing.T) {
	s := storetest.SpotLedger(t)
	storetest.RollNovember(t, s)
	for _, day := range storetest.November(true) {
		if _, _, err := s.RollUpDays(t.Context(), "spot", []period.Second{day.Day}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.RollUpMonths(t.Context()); err != nil {
		t.Fatal(err)
	}
	q, err := metrics.Parse("spot", metrics.Options{From: "2026-11-01", To: "2026-12-01", Filter: "group_key = hour"})
	if err != nil {
		t.Fatal(err)
	}
	for scope, want := range map[string]string{"team = 'research'": "16.385", "cluster = 'prod'": "32.77", "team = 'research' and cluster = 'other'": ""} {
		ctx := storetest.InPart(t, s, scope)
		ask := func(answer func(context.Context, metrics.Query) (metrics.Rows, error)) (cost string, all []string) {
			rows, err := answer(ctx, q)
			if err != nil {
				t.Fatal(scope, err)
			}
			defer rows.Close()
			for rows.Next() {
				row := ""
				for i, c := range rows.Columns() {
					v := rows.Values()[i].String(c.Kind)
					if row += v + "|"; c.Name == "effective_cost" {
						cost += v
					}
				}
				all = append(all, row)
			}
			if rows.Err() != nil {
				t.Fatal(scope, rows.Err())
			}
			return cost, all
		}
		got, rolled := ask(s.Query)
		_, ledger := ask(s.QueryLedger)
		if got != want || !slices.Equal(rolled, ledger) {
			t.Errorf("%s: spot cost %q, want %q\n%v\n%v of the ledger", scope, got, want, rolled, ledger)
		}
		if reads, err := s.Reads(ctx, q); err != nil || reads["posting_rows_202611"] != 0 || want != "" && reads["spot_hour_owner_months"] == 0 {
			t.Errorf("%s: it reads %v, %v", scope, reads, err)
		}
	}
}
