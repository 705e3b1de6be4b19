package figures_test

import (
	"testing"

	"gpuledger/internal/store"
	"gpuledger/metrics"
	"gpuledger/metrics/serving"
	"gpuledger/test/storetest"
)

// quantised turns the service into one that answers under the model's name with a suffix for quantisation.
func quantised(t *testing.T, s *store.Store) {
	t.Helper()
	counted(t, s, "train-0", "vllm", "hub.example.com/acme/Llama:v3-awq", "2026-11-02T10:00:00Z",
		map[string]map[int]int64{"requests/stop": {0: 0, 29: 40}, "prompt_tokens": {0: 0, 29: 1000}})
	serve(t, s, "2026-11-02")
}

func TestServedNamesJoinModelsOfOwners(t *testing.T) {
	s := servingLedger(t)
	quantised(t, s)
	rows := storetest.Table(t, s, "inference", metrics.Options{GroupBy: "model,model_version", Filter: "currency = USD"})
	if len(rows) != 1 {
		t.Fatalf("%d rows: %v", len(rows), rows)
	}
	storetest.Wants(t, rows[0], map[string]string{
		"model": "llama", "model_version": "awq", "requests": "40", "effective_cost": "16.385",
	})
	names, err := s.ServedNames(t.Context())
	if err != nil || len(names) != 1 || names[0].By != serving.ByRule || names[0].Model != "llama" ||
		names[0].Version != "awq" || names[0].LastDay.String() != "2026-11-02T00:00:00Z" {
		t.Errorf("%+v: %v", names, err)
	}
	listed := map[string]string{
		"served_name": "hub.example.com/acme/Llama:v3-awq", "model": "llama", "model_version": "awq",
		"joined_by": "rule", "among": "", "last_day": "2026-11-02T00:00:00Z",
	}
	for window, n := range map[metrics.Options]int{
		{}: 1, {From: "2026-11-02T10:00", To: "2026-11-02T11:00"}: 1, {From: "2026-11-03"}: 0, {To: "2026-11-02"}: 0,
	} {
		got := storetest.Table(t, s, "served_names", window)
		if len(got) != n {
			t.Fatalf("%+v: %v", window, got)
		}
		for _, r := range got {
			storetest.Wants(t, r, listed)
		}
	}
	// The version in the label takes precedence over the one in the name.
	storetest.Run(t, s.Pool, `update owners set model_version = 'v7' where model = 'llama'`)
	serve(t, s, "2026-11-02")
	if rows = storetest.Table(t, s, "inference", metrics.Options{
		GroupBy: "model_version", Filter: "currency = USD",
	}); len(rows) != 1 || rows[0]["model_version"] != "v7" {
		t.Errorf("%v", rows)
	}
}

// A model's life includes requests that a service with another label served of it; the cost of owners does not move.
func TestAnswersCountInTheLifeOfTheModel(t *testing.T) {
	s := servingLedger(t)
	storetest.Run(t, s.Pool, `insert into owners (tenant_id, owner_id, team, model, labels)
		values (1, $1, 'research', 'front-door', '{"team": "research", "model": "front-door"}')`, storetest.ID("owner", "front"))
	owner := func(table, name string) {
		t.Helper()
		storetest.Run(t, s.Pool, "update "+table+" set owner_id = (select owner_id from owners where model = $1)", name)
	}
	for _, table := range []string{"workloads", "postings", "runs"} {
		owner(table, "front-door")
	}
	storetest.Run(t, s.Pool, "update postings set run_id = null")
	quantised(t, s) // only an earlier owner has a llama
	if names, err := s.ServedNames(t.Context()); err != nil || names[0].By != serving.Unknown {
		t.Errorf("%+v: %v", names, err)
	}
	if alone := storetest.Table(t, s, "served_names", metrics.Options{Filter: "joined_by = unknown"}); len(alone) != 1 ||
		alone[0]["model"] != alone[0]["served_name"] {
		t.Errorf("joins no model: %v", alone)
	}
	owner("runs", "llama")
	if days, err := s.MarkServedNames(t.Context(), "serving"); err != nil || days != 1 {
		t.Errorf("%d days marked: %v", days, err)
	}
	if marked, err := s.AnalysisDays(t.Context(), "serving"); err != nil || len(marked) == 0 ||
		marked[0].String() != "2026-11-02T00:00:00Z" {
		t.Errorf("marked %v: %v", marked, err)
	}
	serve(t, s, "2026-11-02")
	if days, err := s.MarkServedNames(t.Context(), "serving"); err != nil || days != 0 {
		t.Errorf("%d days marked again: %v", days, err)
	}
	rows := storetest.Table(t, s, "models", metrics.Options{Filter: "currency = USD", Order: "model"})
	if len(rows) != 2 {
		t.Fatalf("%d rows: %v", len(rows), rows)
	}
	storetest.Wants(t, rows[0], map[string]string{
		"model": "front-door", "effective_cost": "34", "serving_cost": "16.385",
		"answered_cost": "0", "life_cost": "17.615", "requests": "",
	})
	storetest.Wants(t, rows[1], map[string]string{
		"model": "llama", "effective_cost": "", "serving_cost": "0", "answered_cost": "16.385", "life_cost": "16.385",
		"requests": "40", "serving_cost_per_1k_requests": "409.625", "life_cost_per_1k_requests": "409.625",
	})
}
