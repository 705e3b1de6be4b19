package panel

import (
	"slices"
	"strings"

	"gpuledger/web/dashboard/page"
)

// Explore is the address of the explorer for a question, within a scope.
func Explore(s page.Scope, dataset, measure string, by []string, c Chart, filter string) string {
	return s.Carried("/explore", "filter", s.And(filter), "dataset", dataset, "measure", measure,
		"by", strings.Join(by, ","), "chart", string(c))
}

// deeper is the key that comes after a key on the way down to the bill line.
var deeper = map[string]string{
	"tenant": "team", "business_unit": "team", "team": "project", "project": "run",
	"provider": "account", "account": "service_name",
	"cost_center": "team", "cluster": "node", "node": "device", "gpu_model": "cluster", "cause": "team",
	"pricing": "instance_type", "model": "service", "service": "pod", "namespace": "workload", "workload": "pod",
}

// Deeper is the key below a key on the way down to the bill line; empty below the last one.
func Deeper(key string) string { return deeper[key] }

// Narrowed is the explorer, narrowed to what a mark stands for and grouped by the next key below it.
func Narrowed(s page.Scope, dataset, measure string, at At) string {
	if at.From != "" {
		s.From, s.To = at.From, at.To
		s.BillingPeriod = ""
	}
	var by []string
	if n := len(at.Keys); n > 0 {
		next, ok := deeper[at.Keys[n-1]]
		for ok && slices.Contains(at.Keys, next) { // the mark has one value of it
			next, ok = deeper[next]
		}
		if ok && dataset == "costs" {
			by = []string{next}
		} else {
			by = []string{at.Keys[n-1]}
		}
	}
	return Explore(s, dataset, measure, by, "", at.Filter())
}
