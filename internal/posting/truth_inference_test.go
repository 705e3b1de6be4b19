package posting_test

import (
	"fmt"
	"math/big"
	"strings"
	"time"

	"gpuledger/metrics"
	"gpuledger/test/truth"
)

func (w *world) compareInference() {
	w.t.Helper()
	got := map[truth.InferenceKey]map[string]string{}
	for _, r := range w.report("inference", metrics.Options{Granularity: "day"}) {
		at, err := time.Parse(time.RFC3339, r["period_start"])
		if err != nil {
			w.t.Fatal(err)
		}
		got[truth.InferenceKey{Day: at.Unix(), Cluster: r["cluster"], Namespace: r["namespace"], Service: r["service"],
			Model: r["model"], Server: r["server"], Currency: r["currency"]}] = r
	}
	oracle := truth.Inferences(w.fleet)
	w.t.Logf("%d rows in the truth, %d reported", len(oracle), len(got))
	var diffs []string
	var served, tokens, idle int
	for i := range oracle {
		want := &oracle[i]
		row, ok := got[want.InferenceKey]
		if !ok {
			diffs = append(diffs, fmt.Sprintf("missing: %+v", want.InferenceKey))
			continue
		}
		delete(got, want.InferenceKey)
		for _, d := range inferenceDifferences(want, row) {
			diffs = append(diffs, fmt.Sprintf("%s: %+v", d, want.InferenceKey))
		}
		if want.Requests != nil {
			served++
		}
		if want.PromptTokens != nil {
			tokens++
		}
		if want.Idle.Sign() > 0 {
			idle++
		}
	}
	for k := range got {
		diffs = append(diffs, fmt.Sprintf("surplus: %+v", k))
	}
	if served < 10 || tokens < 4 || idle == 0 || served == tokens {
		w.t.Errorf("a test of little: %d rows with requests, %d with tokens, %d with idle cost", served, tokens, idle)
	}
	report(w.t, sorted(diffs))
}

// inferenceDifferences compares a row with the truth.
func inferenceDifferences(want *truth.Inference, row map[string]string) []string {
	var out []string
	for name, n := range map[string]*int64{"requests": want.Requests, "failed_requests": want.Failed,
		"inferences": want.Inferences, "prompt_tokens": want.PromptTokens,
		"cached_prompt_tokens": want.CachedTokens, "generation_tokens": want.GeneratedTokens} {
		text := ""
		if n != nil {
			text = fmt.Sprint(*n)
		}
		if row[name] != text {
			out = append(out, fmt.Sprintf("%s is %q, want %q", name, row[name], text))
		}
	}
	for name, v := range map[string]*big.Rat{"effective_cost": want.Effective, "idle_cost": want.Idle,
		"startup_cost": want.Startup, "input_cost": want.Input, "output_cost": want.Output,
		"gpu_hours": want.GPUHours, "replica_hours": want.ReplicaHours} {
		if !within(row[name], v, 40*want.Rows) { // an hour has several postings and causes, each rounded
			out = append(out, fmt.Sprintf("%s is %s, want %s", name, row[name], v.FloatString(15)))
		}
	}
	if coverage := new(big.Rat); want.HeldMinutes.Sign() > 0 {
		if coverage.Quo(want.SeenMinutes, want.HeldMinutes); !within(row["coverage"], coverage, 10*want.Rows) {
			out = append(out, fmt.Sprintf("coverage is %s, want %s", row["coverage"], coverage.FloatString(12)))
		}
	}
	for name, of := range map[string]truth.Buckets{"latency": want.Latency, "ttft": want.TTFT, "queue_wait": want.Queue} {
		for _, p := range []int64{50, 95, 99} {
			column := fmt.Sprintf("%s_p%d", name, p)
			text, ok := row[column]
			v := of.Quantile(p)
			switch {
			case !ok:
			case v == nil && text != "":
				out = append(out, fmt.Sprintf("%s is %s, want NULL", column, text))
			case v != nil && !within(text, v, 1):
				out = append(out, fmt.Sprintf("%s is %s, want %s", column, text, v.FloatString(12)))
			}
		}
	}
	// Unit costs follow from the sums.
	if cost, ok := new(big.Rat).SetString(row["effective_cost"]); ok && want.PromptTokens != nil &&
		*want.PromptTokens+*want.GeneratedTokens > 0 {
		if per := cost.Quo(cost, big.NewRat(*want.PromptTokens+*want.GeneratedTokens,
			1000)); !within(row["cost_per_1k_tokens"], per, 1) {
			out = append(out, fmt.Sprintf("cost_per_1k_tokens is %s, want %s", row["cost_per_1k_tokens"], per.FloatString(12)))
		}
	}
	return out
}

// within reports whether a decimal is at most so many units of 1e-12 away.
func within(text string, want *big.Rat, units int64) bool {
	got, ok := new(big.Rat).SetString(text)
	if !ok {
		return false
	}
	got.Sub(got, want)
	return got.Abs(got).Cmp(new(big.Rat).Mul(unit, big.NewRat(units, 1))) <= 0
}

// inferenceAddsUp: any grouping adds up to the ledger's own cost of services, and input and output to the whole.
func (w *world) inferenceAddsUp() {
	w.t.Helper()
	total := func(rows []map[string]string, columns ...string) string {
		sum := new(big.Rat)
		for _, r := range rows {
			for _, c := range columns {
				if v, ok := new(big.Rat).SetString(r[c]); ok {
					sum.Add(sum, v)
				}
			}
		}
		return sum.FloatString(12)
	}
	want := total(w.report("costs", metrics.Options{GroupBy: "cause", Filter: "workload_class = service"}),
		"effective_cost")
	for _, keys := range []string{
		"", "team", "service,model", "cluster,namespace", "region,instance_type,gpu_model,pricing",
		"workload_kind,environment,cost_center,stage,project,business_unit,model_version", "server", "tenant",
	} {
		rows := w.report("inference", metrics.Options{GroupBy: keys, Granularity: "day"})
		for _, columns := range [][]string{{"effective_cost"}, {"input_cost", "output_cost"},
			{"used_cost", "idle_cost", "startup_cost", "lost_cost", "unobserved_cost", "host_cost", "metered_cost"}} {
			if got := total(rows, columns...); got != want {
				w.t.Errorf("by %q %s add up to %s, services cost %s", keys, strings.Join(columns, " + "), got, want)
			}
		}
	}
	for _, c := range []string{"requests", "generation_tokens"} {
		if one, many := total(w.report("inference", metrics.Options{GroupBy: "currency"}),
			c), total(w.report("inference", metrics.Options{Granularity: "hour"}), c); one != many {
			w.t.Errorf("%s: %s in all, %s by hour", c, one, many)
		}
	}
}
