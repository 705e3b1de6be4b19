package posting_test

import (
	"fmt"
	"os"
	"strconv"
	"sync"
	"testing"

	"gpuledger/internal/fleetsim"
	"gpuledger/metrics"
	"gpuledger/test/tier"
	"gpuledger/test/truth"
)

// TestFiguresAgreeWithTheTruth compares figures derived from the ledger (docs/figures.md) with the simulator's data,
// area by area, on one fleet per seed: one, two in make test-real, or as many as GPULEDGER_TEST_SEEDS sets. Every
// other fleet, including the one that runs every day, has commitments of each kind, and its months are closed at the
// end, which changes no figure of a life. Two of four begin in one month and end in the next.
func TestFiguresAgreeWithTheTruth(t *testing.T) {
	t.Parallel()
	seeds := int64(1)
	if tier.Full() {
		seeds = 2
	}
	if text := os.Getenv("GPULEDGER_TEST_SEEDS"); text != "" {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 1 {
			t.Fatalf("GPULEDGER_TEST_SEEDS=%s is no number of seeds", text)
		}
		seeds = n
	}
	var mu sync.Mutex
	found, seen := map[string]score{}, map[string]int{}
	t.Cleanup(func() { // after all fleets
		someHave(t, seen)
		enough(t, found)
	})
	for seed := int64(1); seed <= seeds; seed++ {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			cfg := fleetsim.Preset(fleetsim.Small)
			cfg.Seed, cfg.EDPPercent, cfg.Commitments, cfg.Savings = seed, 12, seed%2 == 0 || seeds == 1, true
			cfg.ServedNames = seed%2 == 1
			if (seed-1)%4 < 2 { // bills of two months, whose files have the same names
				cfg.Start = cfg.Start.AddDate(0, 0, -2)
			}
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
				rows := w.report("runs", metrics.Options{})
				own := map[string]int{}
				compareRuns(t, oracle, truth.RunFiguresOf(w.fleet, oracle), rows, own)
				mu.Lock()
				for column, n := range own {
					seen[column] += n
				}
				mu.Unlock()
				groupsAddUp(t, w, rows)
			})
			t.Run("inference", func(*testing.T) {
				w.compareInference()
				w.inferenceAddsUp()
			})
			t.Run("devices and slices", func(t *testing.T) { devicesAgree(t, w) })
			t.Run("held activity", func(t *testing.T) { heldActivityAgrees(t, w, oracle) })
			t.Run("spot, queue, commitments", func(t *testing.T) {
				for _, key := range []string{"instance_type", "zone"} {
					spotAgrees(t, w, key)
				}
				waitsAgree(t, w)
				commitmentsAgree(t, w)
				quotasAgree(t, w)
				demandAgrees(t, w)
			})
			t.Run("limits", func(t *testing.T) { labelBudgetsAgree(t, w, truth.LabelBudgetsOf(w.fleet)) })
			t.Run("requests", func(t *testing.T) { requestsAgree(t, w) })
			t.Run("packing", func(t *testing.T) { packingAgrees(t, w) })
			t.Run("lives", func(t *testing.T) {
				lives := truth.LivesOf(w.fleet)
				livesAgree(t, w, lives)
				modelsAgree(t, w, lives.Models, cfg.ServedNames)
				experimentsAgree(t, w, lives.Experiments)
				coverageAgrees(t, w, lives.Coverage)
				targetsAgree(t, w, lives.Targets)
			})
			t.Run("waste", func(t *testing.T) {
				scores := w.scores(w.findings(), truth.Findings(w.fleet))
				mu.Lock()
				defer mu.Unlock()
				for kind, s := range scores {
					found[kind] = found[kind].and(s)
				}
			})
			if seed == 1 && tier.Full() {
				t.Run("waste does not move", func(t *testing.T) { unmoved(t, w) })
			}
			t.Run("recommendations", func(t *testing.T) { // last, because it decides on some
				sizes := truth.Sizes(w.fleet)
				adviceAgrees(t, w, sizes)
				sizesAgree(t, w, sizes)
				savingsAgree(t, w)
			})
			if cfg.Commitments {
				t.Run("after the close", func(t *testing.T) {
					w.closeAll()
					compareRuns(t, oracle, truth.RunFiguresOf(w.fleet, oracle), w.report("runs", metrics.Options{}), map[string]int{})
					livesAgree(t, w, truth.LivesOf(w.fleet))
				})
			}
		})
	}
}

// TestFiguresOfEveryCloudAgreeWithTheTruth: waste, demand and advice of a fleet that is also on Google, on Azure and
// on owned machines: the demo's fleet, with a shorter history.
func TestFiguresOfEveryCloudAgreeWithTheTruth(t *testing.T) {
	t.Parallel()
	tier.OnlyInFull(t, "a fleet more takes minutes")
	cfg := fleetsim.Preset(fleetsim.Small).Story()
	cfg.Seed, cfg.History = 3, 2
	w := simulate(t, cfg)
	w.loadFolder()
	w.allocate()
	if _, err := w.store.Summarise(t.Context(), 4_000_000_000); err != nil {
		t.Fatal(err)
	}
	w.analyse()
	enough(t, w.scores(w.findings(), truth.Findings(w.fleet)))
	demandAgrees(t, w)
	sizes := truth.Sizes(w.fleet)
	adviceAgrees(t, w, sizes)
	sizesAgree(t, w, sizes)
}

// report reads a dataset as text by column.
func (w *world) report(dataset string, o metrics.Options) []map[string]string {
	w.t.Helper()
	q, err := metrics.Parse(dataset, o)
	if err != nil {
		w.t.Fatal(err)
	}
	rows, err := w.store.Query(w.t.Context(), q)
	if err != nil {
		w.t.Fatal(err)
	}
	defer rows.Close()
	var out []map[string]string
	for rows.Next() {
		row := map[string]string{}
		for i, v := range rows.Values() {
			row[rows.Columns()[i].Name] = v.String(rows.Columns()[i].Kind)
		}
		out = append(out, row)
	}
	if err := rows.Err(); err != nil {
		w.t.Fatalf("report %s: %v", dataset, err)
	}
	return out
}
