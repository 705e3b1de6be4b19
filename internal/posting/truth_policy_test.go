package posting_test

import (
	"testing"

	"gpuledger/internal/fleetsim"
	"gpuledger/test/tier"
	"gpuledger/test/truth"
)

// TestPoliciesAgreeWithTheTruth compares the ledger with the simulator's truth under policies other than the
// standard.
func TestPoliciesAgreeWithTheTruth(t *testing.T) {
	t.Parallel()
	policies := []struct {
		name, document string
		seed           int64
		rules          fleetsim.Rules
	}{
		{
			"mean of two hours", "settings: {idle: lt5pct-2h-mean}", 2,
			fleetsim.Rules{IdlePPM: 50_000, IdleMinutes: 120, IdleMean: true},
		},
		{
			"mean of six hours", "settings: {idle: lt30pct-6h-mean}", 3,
			fleetsim.Rules{IdlePPM: 300_000, IdleMinutes: 360, IdleMean: true},
		},
		{"an hour below 2.5 %, little overhead, who cancels loses",
			"settings: {idle: {threshold: 2.5%, minutes: 60}, overhead_limit: 5m, loss: failed_and_cancelled}", 4,
			fleetsim.Rules{IdlePPM: 25_000, IdleMinutes: 60, OverheadLimit: 300, LoseCancelled: true}},
		{"slices by compute", "settings: {mig: compute}", 5, fleetsim.Rules{Measure: "compute"}},
		{"slices by memory", "settings: {mig: memory}", 1, fleetsim.Rules{Measure: "memory"}},
		{"slices blended", "settings: {mig: blended}", 6, fleetsim.Rules{Measure: "blended"}},
	}
	if !tier.Full() { // one of each rule
		policies = policies[1:3]
	}
	for _, p := range policies {
		t.Run(p.name, func(t *testing.T) {
			cfg := fleetsim.Preset(fleetsim.Small)
			cfg.Seed, cfg.Rules = p.seed, p.rules
			w := simulate(t, cfg)
			w.loadAll()
			if _, _, err := w.store.SavePolicy(t.Context(), []byte("version: tried\n"+p.document), "test"); err != nil {
				t.Fatal(err)
			}
			w.allocate()
			report(t, differences(w.postings(), truePostings(truth.Of(w.fleet))))
		})
	}
}
