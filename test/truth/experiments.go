package truth

import (
	"math/big"
	"slices"
	"strings"

	"gpuledger/internal/fleetsim/bills"
	"gpuledger/internal/fleetsim/world"
)

// Experiment is rule 15.8 for one metric of an experiment; a metric without a name belongs to an experiment without
// results.
type Experiment struct {
	Sum
	Value, Baseline, Threshold *big.Rat
	Lower                      bool
	Successful                 *bool // nil: no baseline
	At                         int64
	Runs, Completed            int
}

// experiments assigns runs to experiments and adds the newest results.
func (all *Lives) experiments(parts []*truth, results []world.ExperimentResult) {
	sums := map[string]*Experiment{}
	of := func(name string) *Experiment {
		if sums[name] == nil {
			sums[name] = &Experiment{Sum: newSum()}
		}
		return sums[name]
	}
	for _, e := range results {
		of(e.Experiment)
	}
	for _, t := range parts {
		for _, r := range sortedRuns(t.runLives()) {
			if name := experimentOf(r, results); name != "" {
				x := of(name)
				x.merge(&r.Sum)
				if x.Runs++; r.Status == "succeeded" {
					x.Completed++
				}
			}
		}
	}
	newest := map[[2]string]world.ExperimentResult{}
	metrics := map[string]bool{}
	for _, e := range results {
		k := [2]string{e.Experiment, e.Metric}
		old, there := newest[k]
		if !there || e.At > old.At || e.At == old.At && world.Decimal(e.Value).Cmp(world.Decimal(old.Value)) > 0 {
			newest[k] = e
		}
		metrics[e.Experiment] = true
	}
	for name, x := range sums {
		if !metrics[name] {
			all.Experiments[[2]string{name, ""}] = x
		}
	}
	for k, e := range newest {
		x := *sums[k[0]]
		x.Value, x.Baseline, x.Threshold, x.Lower, x.At = world.Decimal(e.Value), bills.Optional(e.Baseline),
			bills.Optional(e.Threshold), e.Lower, e.At
		limit := x.Threshold
		if limit == nil {
			limit = x.Baseline
		}
		if limit != nil {
			side := x.Value.Cmp(limit)
			if e.Lower {
				side = -side
			}
			x.Successful = new(side >= 0)
		}
		all.Experiments[k] = &x
	}
}

// experimentOf is the first experiment by name of the results that name the run,
// else its label.
func experimentOf(r *runLife, results []world.ExperimentResult) string {
	var named []string
	for _, e := range results {
		if e.Run != "" && (e.Run == r.ID || e.Run == r.Name) {
			named = append(named, e.Experiment)
		}
	}
	if len(named) > 0 {
		return slices.MinFunc(named, strings.Compare)
	}
	return r.label("label_experiment")
}
