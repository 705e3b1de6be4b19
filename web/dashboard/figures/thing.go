package figures

import (
	"net/url"
	"strings"

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
