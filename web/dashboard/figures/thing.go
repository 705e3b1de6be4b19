package figures

import (
	"net/url"
	"strings"

	"gpuledger/metrics/advice"
	"gpuledger/web/dashboard/page"
)

// Thing is the address of what a row is about, the nearest first: its run, its card, its
// service, its workload, the cards of its machine, those of its model in its cluster;
// empty for a row that names none of them.
func Thing(p *page.Context, r page.Record) string {
	device := r.Text("device")
	switch {
	case r.Text("run_id") != "":
		return p.Scope.Carried(page.RunPath("/runs/", r.Text("run_id")))
	case r.Text("run") != "":
		return p.Scope.Carried(page.RunPath("/runs/", r.Text("run")))
	case strings.HasPrefix(device, "GPU-"):
		return "/fleet/devices/" + url.PathEscape(device)
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

// Rows is the address of a list, narrowed to the rows that have the same keys as a row;
// a key that the row does not know is left out, and without the first there is no address.
func Rows(path string, keys ...string) func(p *page.Context, r page.Record) string {
	return func(p *page.Context, r page.Record) string {
		if r.Text(keys[0]) == "" {
			return ""
		}
		terms := make([]string, len(keys))
		for i, k := range keys {
			terms[i] = page.Equal(k, r.Text(k))
		}
		return p.Scope.Carried(path, "filter", page.Both(terms...))
	}
}

// adviceOrFindings is the address of a row's recommendation; of a recommendation itself
// that of the findings that it follows from, empty where it follows from none.
func adviceOrFindings(p *page.Context, dataset string, r page.Record) string {
	filter := page.Equal("recommendation_id", r.Text("recommendation_id"))
	switch {
	case dataset != "recommendations":
		return p.Scope.Carried("/recommendations", "filter", filter)
	case advice.Found(r.Text("kind")):
		return p.Scope.Carried("/waste", "group", RowsThemselves, "filter", filter)
	}
	return ""
}
