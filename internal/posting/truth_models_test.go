package posting_test

import (
	"math/big"
	"strconv"
	"testing"

	"gpuledger/metrics"
	"gpuledger/test/truth"
)

// count is a number as a report shows it; nil is unknown.
func count(n *int64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatInt(*n, 10)
}

func perUnit(cost *big.Rat, by *int64, per int64) *big.Rat {
	if cost == nil || by == nil || *by == 0 {
		return nil
	}
	return new(big.Rat).Quo(cost, big.NewRat(*by, per))
}

// modelsAgree compares the cost of models over their lives and the requests they served, also under other labels if
// servers have their own names (named).
func modelsAgree(t *testing.T, w *world, oracle map[[2]string]*truth.Model, named bool) {
	t.Helper()
	rows := rowOfEach(t, w.report("models", metrics.Options{}), func(r map[string]string) string {
		return r["model"] + " " + r["currency"]
	})
	all(t, "models", rows, len(oracle))
	served, tokens, joined := 0, 0, 0
	for k, m := range oracle {
		r := rows[k[0]+" "+k[1]]
		if r == nil {
			t.Errorf("model %s in %q is missing", k[0], k[1])
			continue
		}
		what := "model " + k[0]
		causes(t, what, r, &m.Sum)
		steps := 40 * (m.Steps + 1)
		for life, want := range m.Life {
			exactly(t, what+": "+life+"_cost", r[life+"_cost"], want, steps)
		}
		exactly(t, what+": answered_cost", r["answered_cost"], m.Answered, steps)
		if m.Answered.Sign() != 0 && m.Answered.Cmp(m.Life["serving"]) != 0 {
			joined++
		}
		words(t, what, r, map[string]string{"runs": strconv.Itoa(len(m.Runs)),
			"completed_runs": strconv.Itoa(len(m.Completed)), "training_runs": strconv.Itoa(len(m.Training)),
			"requests": count(m.Requests), "prompt_tokens": count(m.PromptTokens), "generation_tokens": count(m.GeneratedToks)})
		exactly(t, what+": life_cost_per_1k_requests", r["life_cost_per_1k_requests"],
			perUnit(m.WholeLife(), m.Requests, 1000), 1_000_000)
		exactly(t, what+": serving_cost_per_1k_requests", r["serving_cost_per_1k_requests"],
			perUnit(m.Answered, m.Requests, 1000), 1_000_000)
		if m.Requests != nil {
			served++
		}
		if m.PromptTokens != nil {
			tokens++
		}
	}
	if served < 4 || tokens == 0 || served == tokens || named && joined == 0 {
		t.Errorf("a test of little: %d models served requests, %d tokens; %d answered under another label", served, tokens,
			joined)
	}
}

// experimentsAgree compares the results and cost of experiments.
func experimentsAgree(t *testing.T, w *world, oracle map[[2]string]*truth.Experiment) {
	t.Helper()
	rows := rowOfEach(t, w.report("experiments", metrics.Options{}), func(r map[string]string) string {
		return r["experiment"] + " " + r["metric"]
	})
	all(t, "experiments", rows, len(oracle))
	reached := map[bool]int{}
	unknown, lower := 0, 0
	sum, names, successful := new(big.Rat), map[string]bool{}, map[string]bool{}
	for k, x := range oracle {
		r := rows[k[0]+" "+k[1]]
		if r == nil {
			t.Errorf("metric %s of experiment %s is missing", k[1], k[0])
			continue
		}
		what := "experiment " + k[0] + " " + k[1]
		if x.Runs == 0 {
			x.GPUHours = nil // without an owner, so unknown and not 0
		}
		causes(t, what, r, &x.Sum)
		exactly(t, what+": value", r["value"], x.Value, 0)
		exactly(t, what+": baseline", r["baseline"], x.Baseline, 0)
		exactly(t, what+": threshold", r["threshold"], x.Threshold, 0)
		want := map[string]string{
			"at": stamp(x.At), "runs": strconv.Itoa(x.Runs),
			"completed_runs": strconv.Itoa(x.Completed), "direction": "", "successful": "",
		}
		if k[1] != "" {
			want["direction"] = map[bool]string{true: "lower", false: "higher"}[x.Lower]
		}
		if x.Successful != nil {
			want["successful"] = strconv.FormatBool(*x.Successful)
			reached[*x.Successful]++
			successful[k[0]] = successful[k[0]] || *x.Successful
		} else {
			unknown++
		}
		if x.Lower {
			lower++
		}
		words(t, what, r, want)
		if !names[k[0]] && x.Effective != nil {
			sum.Add(sum, x.Effective)
		}
		names[k[0]] = true
	}
	if reached[true] == 0 || reached[false] == 0 || unknown == 0 || lower == 0 {
		t.Errorf("a test of little: %d metrics reached what they should, %d did not, %d unknown; of %d lower is better",
			reached[true], reached[false], unknown, lower)
	}
	good := 0
	for _, s := range successful {
		if s {
			good++
		}
	}
	// All of them together: an experiment of several metrics counts once.
	whole := w.report("experiments", metrics.Options{GroupBy: "metric"})
	cost, experiments := new(big.Rat), 0
	for _, r := range whole {
		if v, ok := new(big.Rat).SetString(r["effective_cost"]); ok {
			cost.Add(cost, v)
		}
	}
	exactly(t, "cost of all experiments", cost.FloatString(12), sum, 1_000_000)
	ok, each, cheap := 0, new(big.Rat), 0
	for _, r := range w.report("experiments", metrics.Options{GroupBy: "currency"}) {
		n, _ := strconv.Atoi(r["experiments"])
		s, _ := strconv.Atoi(r["successful_experiments"])
		experiments, ok = experiments+n, ok+s
		if s > 0 {
			c, _ := new(big.Rat).SetString(r["effective_cost"])
			exactly(t, "cost per successful experiment", r["cost_per_successful_experiment"],
				each.Quo(c, big.NewRat(int64(s), 1)), 1)
			cheap++
		}
	}
	if experiments != len(names) || ok != good || cheap == 0 {
		t.Errorf("%d experiments, %d of them successful, want %d and %d", experiments, ok, len(names), good)
	}
}
