package figures

import (
	"net/url"
	"strings"

	"gpuledger/metrics/advice"
	"gpuledger/web/dashboard/page"
)

// Thing is the address of the nearest thing that a row names: its run, its card, its
// service, its workload, the cards of its machine, the cards of its model in its cluster;
// empty if it names none of them.
func Thing(p *page.Context, r page.Record) string {
	device := r.Text("device")
	switch {
	case r.Text("run_id") != "":
		return p.Scope.Carried(page.RunPath("/runs/", r.Text("run_id")))
	case r.Text("run") != "":
		return p.Scope.Carried(page.RunPath("/runs/", r.Text("run")))
	case strings.HasPrefix(device, "GPU-"):
		return p.Scope.Carried("/fleet/devices/" + url.PathEscape(device))
	case r.Text("service") != "":
		return Rows("/inference", "service", "cluster", "namespace")(p, r)
	case r.Text("workload") != "" && r.Text("namespace") != "":
		return Rows("/requests", "workload", "cluster", "namespace")(p, r)
	case r.Text("node") != "":
		return Rows("/devices", "node", "cluster")(p, r)
	case r.Text("cluster") != "":
		return Rows("/devices", "cluster", "gpu_model")(p, r)
	}
	return ""
}

// Rows returns the address of a list narrowed to the keys of a row. Keys that the row does
// not have are omitted; without the first there is no address.
func Rows(path string, keys ...string) func(p *page.Context, r page.Record) string {
	return func(p *page.Context, r page.Record) string {
		if r.Text(keys[0]) == "" {
			return ""
		}
		terms := make([]string, len(keys))
		for i, k := range keys {
			terms[i] = page.Equal(k, r.Text(k))
		}
		return p.Scope.Narrowing(path, page.Both(terms...))
	}
}

// adviceOrFindings is the address of a row's recommendation. For a recommendation it is the
// address of its findings, empty if it has none.
func adviceOrFindings(p *page.Context, dataset string, r page.Record) string {
	filter := page.Equal("recommendation_id", r.Text("recommendation_id"))
	switch {
	case dataset != "recommendations":
		return p.Scope.Narrowing("/recommendations", filter)
	case advice.Found(r.Text("kind")):
		return p.Scope.Narrowing("/waste", filter, "group", RowsThemselves)
	}
	return ""
}
