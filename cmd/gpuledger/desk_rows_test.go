package main

import (
	"errors"
	"testing"

	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// Rows by REST are those of a file: stored all or none, once, and a wrong field is named.
func TestRowsOfARequest(t *testing.T) {
	s := storetest.SmallLedger(t)
	l := deskLedger{Store: s}
	const (
		budget = `{"name":"b","key":"team","value":"research","period":"month","start":"2026-11-01","amount":"10",` +
			`"unit":"money","currency":"USD"}`
		event = `{"at":"2026-11-02T08:00:00Z","kind":"deploy","key":"team","value":"research","text":"v2"}`
	)
	for _, c := range []struct {
		budgets      bool
		document     string
		rows, stored int64
		field        string
	}{
		{true, budget, 1, 1, ""}, {true, "[" + budget + "]", 1, 0, ""},
		{true, `[{"name":"new","key":"all","period":"life","amount":"1","unit":"tokens"},{"name":"x","key":"colour"}]`,
			0, 0, "key"},
		{true, `{"name":"new","key":"all","period":"life","amount":"1","unit":"tokens","parent":"nobody"}`, 0, 0, "parent"},
		{true, `{"name":"new","key":"all","period":"life","amount":"1","unit":"tokens","color":"red"}`, 0, 0, "color"},
		{false, "[" + event + "," + event + "]", 2, 1, ""}, {false, event, 1, 0, ""},
		{false, `[{"at":"2026-11-02T08:00:00Z","kind":"note","text":"new"},{"at":"2026-11-02T08:00:00Z","kind":"party"}]`,
			0, 0, "kind"},
		{false, `[]`, 0, 0, "body"}, {false, `7`, 0, 0, "body"},
	} {
		save := l.SaveAnnotations
		if c.budgets {
			save = l.SaveBudgets
		}
		saved, err := save(t.Context(), []byte(c.document), "ada")
		if refused, ok := errors.AsType[*metrics.OptionError](err); ok != (c.field != "") ||
			ok && refused.Option != c.field || !ok && err != nil {
			t.Errorf("%s: %v, want the field %q", c.document, err, c.field)
		}
		if err == nil && (saved.Rows != c.rows || saved.Stored != c.stored) {
			t.Errorf("%s: %+v, want %d and %d", c.document, saved, c.rows, c.stored)
		}
	}
	for dataset, want := range map[string]int{"budget_versions": 1, "stored_annotations": 1} {
		if rows := storetest.Table(t, s, dataset, metrics.Options{}); len(rows) != want {
			t.Errorf("%d rows of %s: %v", len(rows), dataset, rows)
		}
	}
	entries := storetest.Table(t, s, "audit", metrics.Options{Filter: "actor = ada", Order: "number"})
	if len(entries) != 2 || entries[0]["action"] != "budgets stored" || entries[1]["action"] != "annotations stored" {
		t.Errorf("the audit log has %v", entries)
	}
}
