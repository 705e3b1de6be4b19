package posting_test

import (
	"testing"

	"gpuledger/internal/fleetsim"
	"gpuledger/metrics"
	"gpuledger/test/tier"
	"gpuledger/test/truth"
)

// TestTheDemosStoryAgreesWithTheTruth: figures of a fleet like the demo's, whose past is coarse and whose pods carry
// all labels of their owner; its first month is closed.
func TestTheDemosStoryAgreesWithTheTruth(t *testing.T) {
	t.Parallel()
	tier.OnlyInFull(t, "TestFiguresAgreeWithTheTruth asks the same of another fleet")
	cfg := fleetsim.Preset(fleetsim.Small)
	cfg.Seed, cfg.EDPPercent, cfg.History = 5, 12, 3
	cfg.Commitments, cfg.Savings, cfg.Labels, cfg.Review = true, true, true, true
	w := simulate(t, cfg)
	w.loadFolder()
	w.allocate()
	if _, err := w.store.Summarise(t.Context(), 4_000_000_000); err != nil {
		t.Fatal(err)
	}
	w.analyse()
	oracle := truth.Of(w.fleet)
	t.Run("postings", func(t *testing.T) { report(t, differences(w.postings(), truePostings(oracle))) })
	t.Run("sums of postings", func(t *testing.T) { sumsAgree(t, w) })
	t.Run("runs", func(t *testing.T) {
		compareRuns(t, oracle, truth.RunFiguresOf(w.fleet, oracle), w.report("runs", metrics.Options{}), map[string]int{})
	})
	t.Run("inference", func(*testing.T) { w.compareInference() })
	t.Run("devices and slices", func(t *testing.T) { devicesAgree(t, w) })
	t.Run("held activity", func(t *testing.T) { heldActivityAgrees(t, w, oracle) })
	t.Run("spot, queue, commitments", func(t *testing.T) {
		spotAgrees(t, w, "instance_type")
		waitsAgree(t, w)
		commitmentsAgree(t, w)
		demandAgrees(t, w)
	})
	t.Run("requests", func(t *testing.T) { requestsAgree(t, w) })
	t.Run("packing", func(t *testing.T) { packingAgrees(t, w) })
	t.Run("stranded", func(t *testing.T) { strandedAgrees(t, w, oracle) })
	t.Run("lives", func(t *testing.T) {
		lives := truth.LivesOf(w.fleet)
		livesAgree(t, w, lives)
		modelsAgree(t, w, lives.Models, false)
		coverageAgrees(t, w, lives.Coverage)
		both := 0
		for _, m := range lives.Models {
			if m.Life["serving"].Sign() > 0 && m.Life["training"].Sign()+m.Life["fine_tuning"].Sign() > 0 {
				both++
			}
		}
		if both == 0 {
			t.Error("no model is trained and served")
		}
		for _, key := range []string{"business_unit", "dataset", "model_version", "priority"} {
			if c := lives.Coverage[[2]string{key, "USD"}]; c == nil || c.Owned.Sign() <= 0 {
				t.Errorf("nobody is named as %s", key)
			}
		}
	})
	t.Run("waste", func(t *testing.T) { enough(t, w.scores(w.findings(), truth.Findings(w.fleet))) })
	t.Run("recommendations", func(t *testing.T) {
		sizes := truth.Sizes(w.fleet)
		adviceAgrees(t, w, sizes)
		sizesAgree(t, w, sizes)
	})
	t.Run("after the close", func(t *testing.T) {
		w.closeAll()
		compareRuns(t, oracle, truth.RunFiguresOf(w.fleet, oracle), w.report("runs", metrics.Options{}), map[string]int{})
	})
}
