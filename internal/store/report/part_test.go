package report_test

import (
	"testing"

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
