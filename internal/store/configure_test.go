package store_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"gpuledger/internal/folder"
	"gpuledger/internal/outgoing"
	"gpuledger/internal/store"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

func fine(string) error { return nil }

// folderOf reads files without faults.
func folderOf(t *testing.T, texts map[string]string) *folder.Folder {
	t.Helper()
	files := fstest.MapFS{}
	for name, text := range texts {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	f, faults, err := folder.Read(files, folder.Options{Page: fine, Target: fine})
	if err != nil || len(faults) > 0 {
		t.Fatal(err, faults)
	}
	return f
}

var configured = map[string]string{
	"policy.yaml":  "kind: policy\nversion: strict\nvalid_from: 2026-11-01\nsettings: {idle: lt5pct-2h-mean}\n",
	"mapping.yaml": "kind: mapping\nname: renamed\nvalues: [{key: team, from: [nlp], to: speech}]\n",
	"budgets.yaml": "kind: budgets\nbudgets:\n  - {name: Speech, key: team, value: speech, period: month, " +
		"start: 2026-11-01, amount: 500, unit: money, currency: USD}\n",
	"prices.yaml": "kind: price_book\nrates:\n" +
		"  - {instance_type: x9.large, price_class: on_demand, currency: USD, hourly: 1.25}\n",
	"view.yaml":   "kind: view\nname: Speech\nurl: /chargeback?team=speech\n",
	"export.yaml": "kind: schedule\nname: finance\ndataset: costs\nto: s3://bucket/costs\ngroup_by: team\n",
}

// A folder is stored once, with who and why; what differs later is the next version; an export is no difference.
func TestAFolderIsStoredInVersions(t *testing.T) {
	s := storetest.SmallLedger(t)
	apply := func(texts map[string]string) string {
		t.Helper()
		plan, err := s.Configure(t.Context(), folderOf(t, texts), "ada", "plan of 2026")
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, c := range plan.Changes {
			if c.Action != folder.None {
				out = append(out, string(c.Action)+" "+c.Kind)
			}
		}
		return strings.Join(out, ", ")
	}
	if got := apply(configured); got != "create policy, create mapping, create budgets, create price_book, create view, "+
		"create schedule" {
		t.Errorf("first: %s", got)
	}
	marked := count(t, s, `select count(*) from dirty where reason = 'policy'`)
	if marked == 0 {
		t.Error("no day is marked")
	}
	if got := apply(configured); got != "" {
		t.Errorf("again: %s", got)
	}
	if n := count(t, s, `select count(*) from dirty where reason = 'policy'`); n != marked {
		t.Errorf("no difference marks %d days", n-marked)
	}
	other := map[string]string{
		"budgets.yaml": strings.ReplaceAll(configured["budgets.yaml"], "500", "600"),
		"mapping.yaml": strings.ReplaceAll(configured["mapping.yaml"], "speech", "audio"),
		"view.yaml":    strings.ReplaceAll(configured["view.yaml"], "speech", "audio"),
	}
	if got := apply(other); got != "update mapping, update budgets, update view" {
		t.Errorf("changed: %s", got)
	}
	for dataset, want := range map[string]string{
		"budget_versions": "2 ada plan of 2026, 1 ada plan of 2026", "mappings": "1 ada plan of 2026, 2 ada plan of 2026",
	} {
		var got []string
		for _, r := range storetest.Table(t, s, dataset, metrics.Options{}) {
			got = append(got, r["version"]+" "+r["changed_by"]+" "+r["reason"])
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %q", dataset, got)
		}
	}
	var entries []string
	for _, r := range storetest.Table(t, s, "audit", metrics.Options{}) {
		entries = append(entries, r["action"])
		if r["actor"] != "ada" || !strings.Contains(r["detail"], `"plan of 2026"`) {
			t.Errorf("%v", r)
		}
	}
	for _, action := range []string{
		"store policy", "store mapping", "budgets stored", "prices stored", "view saved", "view changed",
		"export schedule stored",
	} {
		if !slices.Contains(entries, action) {
			t.Errorf("%s is not in the audit log: %q", action, entries)
		}
	}
	state, err := s.Configuration(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	texts, err := folder.Export(state)
	if err != nil || len(texts) < 5 {
		t.Fatalf("%v %v", texts, err)
	}
	if got := apply(texts); got != "" {
		t.Errorf("the export differs: %s", got)
	}
}

// Nothing of a folder is stored if a part of it cannot be.
func TestAFolderIsStoredWhollyOrNotAtAll(t *testing.T) {
	s := storetest.SmallLedger(t)
	texts := map[string]string{}
	for name, text := range configured {
		texts[name] = text
	}
	texts["more.yaml"] = "kind: budgets\nbudgets:\n" +
		"  - {name: x, key: all, period: life, amount: 1, unit: tokens, parent: nobody}\n"
	_, err := s.Configure(t.Context(), folderOf(t, texts), "ada", "")
	wrong, ok := errors.AsType[*store.ConfigurationError](err)
	const missing = `more.yaml:3: parent: there is no budget "nobody"`
	if !ok || len(wrong.Faults) != 1 || !strings.HasPrefix(wrong.Error(), missing) {
		t.Fatalf("%v", err)
	}
	const stored = `select (select count(*) from policy_versions) + (select count(*) from mappings) +
		(select count(*) from saved_views) + (select count(*) from export_schedules) +
		(select count(*) from rates where instance_type = 'x9.large') +
		(select count(*) from audit_log)`
	if n := count(t, s, stored); n != 0 {
		t.Errorf("%d rows are stored", n)
	}
	if _, _, err := s.SavePolicy(t.Context(), []byte("version: careful\nsecond_person: [policy]\n"), "ada"); err != nil {
		t.Fatal(err)
	}
	before := count(t, s, stored)
	if _, err := s.Configure(t.Context(), folderOf(t, configured), "ada", ""); !isGuarded(err) {
		t.Errorf("a change that needs a second person: %v", err)
	}
	if n := count(t, s, stored); n != before {
		t.Errorf("%d rows are stored without a second person", n-before)
	}
}

// A folder that is applied again leaves a schedule as it is, so that nothing is exported twice; a changed one is due at
// once, and one that the folder leaves out stays.
func TestAScheduleOfAFolderRunsOnce(t *testing.T) {
	s := storetest.SmallLedger(t)
	apply := func(text string) *folder.Plan {
		t.Helper()
		plan, err := s.Configure(t.Context(), folderOf(t, map[string]string{"a.yaml": text}), "ada", "plan of 2026")
		if err != nil {
			t.Fatal(err)
		}
		return plan
	}
	of := func(name string) outgoing.Stored {
		t.Helper()
		x, err := s.Exports.Schedule(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	apply(configured["export.yaml"])
	x, now := of("finance"), time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	if x.ChangedBy != "ada" || x.Every != outgoing.Daily || x.Months != outgoing.StandardMonths {
		t.Errorf("%+v", x)
	}
	tick := x.Every.Tick(now)
	if err := s.Exports.Start(t.Context(), "finance", tick, now); err != nil {
		t.Fatal(err)
	}
	run := &outgoing.Run{Name: "finance", Tick: tick, StartedAt: now, EndedAt: &now, State: outgoing.Done}
	if err := s.Exports.Finish(t.Context(), &x, run); err != nil {
		t.Fatal(err)
	}
	if plan := apply(configured["export.yaml"]); plan.Differs() || of("finance").Done == nil {
		t.Errorf("applied again: %+v, %+v", plan.Changes, of("finance"))
	}
	if _, err := s.Exports.Save(t.Context(), "bob", now, outgoing.Schedule{Name: "other", Dataset: "runs",
		Format: "csv", Target: "/out", Every: outgoing.Weekly, Months: 1}); err != nil {
		t.Fatal(err)
	}
	apply(strings.ReplaceAll(configured["export.yaml"], "team", "cause"))
	if x := of("finance"); x.Done != nil || x.Options.GroupBy != "cause" || x.Last == nil {
		t.Errorf("changed: %+v", x)
	}
	if x := of("other"); x.ChangedBy != "bob" {
		t.Errorf("%+v", x)
	}
	entries := storetest.Table(t, s, "audit", metrics.Options{Filter: "action = 'export schedule stored'", Order: "number"})
	if len(entries) != 3 || !strings.Contains(entries[2]["detail"], `"plan of 2026"`) {
		t.Errorf("%v", entries)
	}
}

func isGuarded(err error) bool {
	_, ok := errors.AsType[*store.GuardedError](err)
	return ok
}

func count(t *testing.T, s *store.Store, sql string) (n int64) {
	t.Helper()
	if err := s.Pool.QueryRow(t.Context(), sql).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
