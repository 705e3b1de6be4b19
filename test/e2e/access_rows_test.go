package e2e

import (
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/metrics"
)

// rowsOfTheirOwn reads datasets that have their own rows.
func (w *seen) rowsOfTheirOwn(t *testing.T) {
	for _, dataset := range []string{
		"runs", "attempts", "postings", "usage", "inference", "waste", "groups", "experiments", "models", "recommendations",
		"statement_lines", "spot", "interruptions", "spot_postings", "queue", "devices", "slices", "requests",
	} {
		compared := 0
		d, err := metrics.LookupDataset(dataset)
		if err != nil {
			t.Fatal(err)
		}
		for condition, lead := range w.some() {
			want, text, status := w.admin.rows(t, dataset, url.Values{"filter": {condition}})
			if status == http.StatusBadRequest {
				continue
			}
			if status != http.StatusOK {
				t.Fatalf("admin: %s where %s: %d %s", dataset, condition, status, clip(text))
			}
			got, text, status := lead.rows(t, dataset, url.Values{})
			if status != http.StatusOK {
				t.Fatalf("%s: %s: %d %s", condition, dataset, status, clip(text))
			}
			if dataset == "waste" { // waste that not a single owner has may belong to anyone
				want = slices.DeleteFunc(want, func(r map[string]string) bool {
					return !slices.ContainsFunc(got, func(o map[string]string) bool { return cmp.Equal(r, o) }) && ownerless(r)
				})
			}
			if dataset == "experiments" { // without a run it has no owner
				want = slices.DeleteFunc(want, func(r map[string]string) bool { return r["runs"] == "0" })
			}
			if dataset == "spot" {
				want, got = ofSpot(want), ofSpot(got)
			}
			compared += len(got)
			if dif := cmp.Diff(want, got); dif != "" && len(want)+len(got) > 0 {
				t.Errorf("%s: %s differs from the admin's (-admin +own):\n%s", condition, d.Name, clip(dif))
			}
			if l := w.leaks(condition, text); l != "" {
				t.Errorf("%s: %s names others: %s", condition, dataset, l)
			}
		}
		if compared == 0 && dataset != "statement_lines" { // no month is closed here
			t.Errorf("nobody has rows of %s", dataset)
		}
	}
}

// ofSpot are groups with spot machines in scope, without the columns of a group as a whole, whatever the query filters:
// only part of the group is in scope.
func ofSpot(rows []map[string]string) (out []map[string]string) {
	for _, r := range rows {
		if r["interruptions"] == "0" && r["attempts"] == "0" &&
			(r["spot_instance_hours"] == null || r["spot_instance_hours"] == "0") && r["lost_cost"] == "0" {
			continue
		}
		for _, whole := range []string{"recovery_p95_seconds", "worst_week_interruptions", "worst_hour_interruptions",
			"pilot_gate", "pilot_reasons", "alarm",
			"checkpoint_seconds", "checkpoint_basis", "young_interval_seconds", "checkpoint_interval_seconds"} {
			delete(r, whole)
		}
		out = append(out, r)
	}
	return out
}

// ownerless reports whether a row has no owner key.
func ownerless(row map[string]string) bool {
	return !slices.ContainsFunc(metrics.OwnerKeys, func(key string) bool { return row[key] != "" && row[key] != null })
}
