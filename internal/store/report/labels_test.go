package report_test

import (
	"strings"
	"testing"

	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// Custom labels group costs, runs and attempts, and the groups add up to the whole.
func TestCustomLabels(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, `update workloads set labels = '{"flavour": "vanilla", "appkubernetesioname": "tune"}'`)
	storetest.Run(t, s.Pool, `update runs set labels = '{"flavour": "vanilla"}' where run_id = 'prod/ml/train'`)
	for _, key := range []string{"label:flavour", "label:Flavour", "label:label_flavour"} {
		by := map[string]string{}
		for _, r := range storetest.Table(t, s, "costs", metrics.Options{
			GroupBy: key, Filter: "cause != shared and cause != host",
		}) {
			if r["currency"] == "USD" {
				by[r[key]] = r["effective_cost"]
			}
		}
		if by["vanilla"] != "16.385" || by[""] == "" || len(by) != 2 {
			t.Errorf("costs by %s: %v", key, by)
		}
	}
	storetest.Wants(t, storetest.Table(t, s, "costs", metrics.Options{Filter: "label:flavour = vanilla"})[0],
		map[string]string{"effective_cost": "16.385"})
	storetest.Wants(t, storetest.Table(t, s, "costs",
		metrics.Options{GroupBy: "label:app.kubernetes.io/name", Filter: "label:flavour = vanilla"})[0],
		map[string]string{"label:app.kubernetes.io/name": "tune"})
	rows := storetest.Table(t, s, "runs", metrics.Options{GroupBy: "label:flavour", Order: "-effective_cost"})
	storetest.Wants(t, rows[0], map[string]string{"label:flavour": "vanilla", "runs": "1", "effective_cost": "16.385"})
	if rows := storetest.Table(t, s, "runs", metrics.Options{Filter: "label:flavour = vanilla"}); len(rows) != 1 ||
		rows[0]["run_id"] != "prod/ml/train" {
		t.Errorf("%v", rows)
	}
	storetest.Wants(t, storetest.Table(t, s, "attempts",
		metrics.Options{GroupBy: "label:flavour", Order: "-effective_cost"})[0],
		map[string]string{"label:flavour": "vanilla", "tries": "2", "effective_cost": "16.385"})
	storetest.RollNovember(t, s) // roll-ups have no labels, so the ledger answers
	storetest.Wants(t, storetest.Table(t, s, "costs",
		metrics.Options{GroupBy: "label:flavour", Filter: "label:flavour = vanilla"})[0],
		map[string]string{"effective_cost": "16.385"})
}

// A note names a key that no row has, and the nearest existing keys.
func TestNotesNameKeysThatNoRowHas(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, `update workloads set labels = '{"costcentre": "4711", "flavour": "vanilla", "zzz": "1"}'`)
	for text, want := range map[string]string{"label:cost-center-": "costcentre", "tag:CostCentre": "CostCenter"} {
		for _, o := range []metrics.Options{{GroupBy: text}, {Filter: text + " = x"}} {
			q, err := metrics.Parse("costs", o)
			if err != nil {
				t.Fatal(err)
			}
			rows, err := s.Query(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			rows.Close()
			if notes := metrics.NotesOf(rows); len(notes) != 1 || !strings.Contains(notes[0], "keys: "+want) {
				t.Errorf("%+v: %q", o, notes)
			}
		}
	}
	if _, err := metrics.Parse("devices", metrics.Options{GroupBy: "label:flavour"}); err == nil {
		t.Error("devices carry no labels")
	}
}
