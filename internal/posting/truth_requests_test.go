package posting_test

import (
	"fmt"
	"math/big"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gpuledger/internal/fleetsim"
	"gpuledger/metrics"
	"gpuledger/test/tier"
	"gpuledger/test/truth"
)

// requestsAgree compares the requests of pods with their usage, and returns how many suggestions there were.
// Percentiles are within the width of a sketch's bins; suggestions follow from them.
func requestsAgree(t *testing.T, w *world) (suggested int) {
	t.Helper()
	oracle := truth.Requests(w.fleet)
	for _, r := range w.report("requests", metrics.Options{}) {
		k := truth.RootOwner{Cluster: r["cluster"], Namespace: r["namespace"], Kind: r["workload_kind"], Name: r["workload"]}
		want := oracle[k]
		if want == nil {
			t.Errorf("use of nobody: %v", r)
			continue
		}
		delete(oracle, k)
		what := fmt.Sprintf("%s/%s %s: ", k.Namespace, k.Name, k.Kind)
		enough := want.Days >= 14
		for name, value := range map[string]string{
			"pods": strconv.Itoa(want.Pods), "days": strconv.Itoa(want.Days), "enough_data": strconv.FormatBool(enough),
		} {
			if r[name] != value {
				t.Errorf("%s%s is %s, want %s", what, name, r[name], value)
			}
		}
		for _, of := range []struct {
			name, unit string
			requested  int64
			used       []int64
			one, step  int64 // of a core or GiB; suggestions are rounded up to it
		}{{"cpu", "", want.CPURequested, want.CPU, 1000, 1},
			{"memory", "_gib", want.MemoryRequested, want.Memory, 1 << 30, 1 << 20}} {
			requested := big.NewRat(of.requested, of.one)
			if got := r[of.name+"_requested"+of.unit]; of.requested != 0 {
				near(t, what+of.name+" requested", got, requested)
			} else if got != "" {
				t.Errorf("%s%s requested is %s, want nothing", what, of.name, got)
			}
			for _, percent := range []int{95, 99} {
				got := r[fmt.Sprint(of.name, "_p", percent, of.unit)]
				if len(of.used) == 0 {
					if got != "" {
						t.Errorf("%sP%d of %s is %s without samples", what, percent, of.name, got)
					}
					continue
				}
				sketched(t, fmt.Sprint(what, "P", percent, " of ", of.name), got, big.NewRat(truth.Rank(of.used, percent), of.one))
			}
			suggestion, saving := r[of.name+"_suggested"+of.unit], r[of.name+"_saving"+of.unit]
			if !enough || len(of.used) == 0 {
				if suggestion != "" || saving != "" {
					t.Errorf("%s%s: %s is suggested, to save %s, of %d days", what, of.name, suggestion, saving, want.Days)
				}
				continue
			}
			suggested++
			p99, _ := new(big.Rat).SetString(r[of.name+"_p99"+of.unit])
			steps := new(big.Rat).Mul(p99, big.NewRat(12*of.one, 10*of.step))
			up := new(big.Int).Add(steps.Num(), new(big.Int).Sub(steps.Denom(), big.NewInt(1)))
			least := new(big.Rat).Mul(new(big.Rat).SetInt(up.Quo(up, steps.Denom())), big.NewRat(of.step, of.one))
			near(t, what+of.name+" suggested", suggestion, least)
			if of.requested != 0 {
				near(t, what+of.name+" saving", saving,
					new(big.Rat).Mul(new(big.Rat).Sub(requested, least), big.NewRat(int64(want.Pods), 1)))
			}
		}
	}
	for k := range oracle {
		t.Errorf("use of %v has no row", k)
	}
	return suggested
}

// sketched fails if a value from a sketch is off by more than 0.8 %.
func sketched(t *testing.T, what, got string, want *big.Rat) {
	t.Helper()
	g, ok := new(big.Rat).SetString(got)
	if !ok {
		t.Errorf("%s is %q, want %s", what, got, want.FloatString(6))
		return
	}
	off := new(big.Rat).Sub(g, want)
	if off.Abs(off).Cmp(new(big.Rat).Add(new(big.Rat).Mul(want, big.NewRat(8, 1000)), big.NewRat(1, 1_000_000))) > 0 {
		t.Errorf("%s is %s, want %s within 0.8 %%", what, got, want.FloatString(6))
	}
}

// TestRequestsOfTwoWeeks: suggestions need two weeks of samples, so one fleet must be older than the others. Of its
// telemetry, only holders and the usage of containers are read.
func TestRequestsOfTwoWeeks(t *testing.T) {
	t.Parallel()
	tier.OnlyInFull(t, "two weeks of a fleet take minutes")
	cfg := fleetsim.Preset(fleetsim.Small)
	cfg.Seed, cfg.Days = 3, 15
	w := simulate(t, cfg)
	var files []string
	for _, f := range w.files.Telemetry {
		if name := filepath.Base(f); strings.HasPrefix(name, "kube-state-metrics-") || strings.HasPrefix(name, "hosts-") {
			files = append(files, f)
		}
	}
	w.load("openmetrics", files...)
	w.load("spot-events", w.files.Events...)
	w.allocate()
	w.analyse()
	if n := requestsAgree(t, w); n == 0 {
		t.Error("nothing is suggested: the test says nothing")
	}
}
