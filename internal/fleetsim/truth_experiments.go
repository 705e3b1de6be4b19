package fleetsim

import (
	"math/big"
	"slices"
	"strings"
)

// TruthExperiment is rule 15.8 for one metric of an experiment; a metric
// without a name is that of an experiment without results.
type TruthExperiment struct {
	TruthSum
	Value, Baseline, Threshold *big.Rat
	Lower                      bool
	Successful                 *bool // nil: nothing to compare with
	At                         int64
	Runs, Completed            int
}

// experiments puts runs to experiments and the newest results beside them.
func (all *TruthLives) experiments(parts []*truth, results []experimentResult) {
	sums := map[string]*TruthExperiment{}
	of := func(name string) *TruthExperiment {
		if sums[name] == nil {
			sums[name] = &TruthExperiment{TruthSum: newSum()}
		}
		return sums[name]
	}
	for _, e := range results {
		of(e.experiment)
	}
	for _, t := range parts {
		for _, r := range sortedRuns(t.runLives()) {
			if name := experimentOf(r, results); name != "" {
				x := of(name)
				x.merge(&r.TruthSum)
				if x.Runs++; r.Status == "succeeded" {
					x.Completed++
				}
			}
		}
	}
	newest := map[[2]string]experimentResult{}
	metrics := map[string]bool{}
	for _, e := range results {
		k := [2]string{e.experiment, e.metric}
		old, there := newest[k]
		if !there || e.at > old.at || e.at == old.at && decimal(e.value).Cmp(decimal(old.value)) > 0 {
			newest[k] = e
		}
		metrics[e.experiment] = true
	}
	for name, x := range sums {
		if !metrics[name] {
			all.Experiments[[2]string{name, ""}] = x
		}
	}
	for k, e := range newest {
		x := *sums[k[0]]
		x.Value, x.Baseline, x.Threshold, x.Lower, x.At = decimal(e.value), optional(e.baseline), optional(e.threshold), e.lower, e.at
		limit := x.Threshold
		if limit == nil {
			limit = x.Baseline
		}
		if limit != nil {
			side := x.Value.Cmp(limit)
			if e.lower {
				side = -side
			}
			x.Successful = new(side >= 0)
		}
		all.Experiments[k] = &x
	}
}

// experimentOf is the first experiment by name of the results that name the run,
// else its label.
func experimentOf(r *runLife, results []experimentResult) string {
	var named []string
	for _, e := range results {
		if e.run != "" && (e.run == r.ID || e.run == r.Name) {
			named = append(named, e.experiment)
		}
	}
	if len(named) > 0 {
		return slices.MinFunc(named, strings.Compare)
	}
	return r.label("label_experiment")
}
