package figures

import (
	"net/url"
	"testing"

	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
)

// record is a row with the texts of its columns.
func record(texts map[string]string) page.Record {
	r := page.Record{At: map[string]int{}}
	for name, text := range texts {
		r.At[name] = len(r.Values)
		r.Values = append(r.Values, metrics.Value{Valid: text != "", Text: text})
	}
	return r
}

// A row links to the nearest thing that it names, and keeps the period of the page.
func TestARowLinksToTheNearestThing(t *testing.T) {
	p := &page.Context{
		Scope: page.Scope{
			Path: "/waste", Basis: "effective", From: "2026-11-01", Filter: "kind = 'xid' and team = a", Order: "label",
		},
	}
	all := map[string]string{
		"run_id": "c/n/Job/a b/1", "device": "GPU-1", "service": "s", "workload": "w",
		"namespace": "n", "node": "m", "cluster": "it's", "gpu_model": "L4",
	}
	for _, c := range []struct{ without, path, filter string }{
		{"", "/runs/c/n/Job/a b/1", "team = a"},
		{"run_id", "/fleet/devices/GPU-1", "team = a"},
		{"device", "/inference", "team = a and service = 's' and cluster = 'it''s' and namespace = 'n'"},
		{"service", "/requests", "team = a and workload = 'w' and cluster = 'it''s' and namespace = 'n'"},
		{"workload", "/devices", "team = a and node = 'm' and cluster = 'it''s'"},
		{"node", "/devices", "team = a and cluster = 'it''s' and gpu_model = 'L4'"},
		{"cluster", "", ""},
	} {
		delete(all, c.without)
		u, err := url.Parse(Thing(p, record(all)))
		if err != nil {
			t.Fatal(err)
		}
		if u.Path != c.path || u.Query().Get("filter") != c.filter || u.Query().Get("order") != "" {
			t.Errorf("without %q: %s, want %s with %q", c.without, u, c.path, c.filter)
		}
		if from := u.Query().Get("from"); c.path != "" && from != "2026-11-01" {
			t.Errorf("%s: from %q", u, from)
		}
	}
	if got := Rows("/runs", "model", "team")(p, record(map[string]string{"model": "", "team": "a"})); got != "" {
		t.Errorf("a row without the first key links to %q", got)
	}
}

// A finding links to its advice, and advice to its findings, if it has any.
func TestFindingsAndAdviceLinkToEachOther(t *testing.T) {
	p := &page.Context{}
	for _, c := range []struct{ dataset, kind, path string }{
		{"waste", "forgotten_notebook", "/recommendations"},
		{"recommendations", "stop_idle", "/waste"}, {"recommendations", "smaller_slice", ""},
	} {
		u, err := url.Parse(adviceOrFindings(p, c.dataset,
			record(map[string]string{"kind": c.kind, "recommendation_id": "ab"})))
		if err != nil || u.Path != c.path || c.path != "" && u.Query().Get("filter") != "recommendation_id = 'ab'" {
			t.Errorf("%s of %s: %s, want %s", c.kind, c.dataset, u, c.path)
		}
	}
}
