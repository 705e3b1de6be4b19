package exports_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"gpuledger/internal/export"
	"gpuledger/internal/outgoing"
	"gpuledger/internal/store/exports"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m, nil) }

var noon = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

func finance() outgoing.Schedule {
	return outgoing.Schedule{Name: "finance", Dataset: "costs", Format: export.CSV, Target: "s3://bucket/costs",
		Every: outgoing.Daily, Months: 3, Options: metrics.Options{GroupBy: "team", Filter: "cause != free"}}
}

func TestSchedulesAreKept(t *testing.T) {
	s := storetest.New(t)
	wrong := finance()
	wrong.Dataset = "none"
	if _, err := s.Exports.Save(t.Context(), "ada", noon, wrong); err == nil {
		t.Error("a schedule of an unknown dataset is stored")
	}
	for _, want := range []bool{true, false} { // the second time it is there
		if changed, err := s.Exports.Save(t.Context(), "ada", noon, finance()); err != nil || changed != want {
			t.Errorf("%v %v", changed, err)
		}
	}
	got, err := s.Exports.Schedule(t.Context(), "finance")
	if err != nil || got.Schedule != finance() || got.ChangedBy != "ada" || !got.ChangedAt.Equal(noon) || got.Last != nil {
		t.Errorf("%+v %v", got, err)
	}
	other := finance()
	other.Keep = 12
	if changed, err := s.Exports.Save(t.Context(), "bob", noon.Add(time.Hour), other); err != nil || !changed {
		t.Errorf("%v %v", changed, err)
	}
	if err := s.Exports.Drop(t.Context(), "bob", noon, "finance"); err != nil {
		t.Error(err)
	}
	unknown := new(*exports.UnknownError)
	if err := s.Exports.Drop(t.Context(), "bob", noon, "finance"); !errors.As(err, unknown) {
		t.Errorf("%v", err)
	}
	rows := storetest.Table(t, s, "audit", metrics.Options{Order: "number"})
	if len(rows) != 3 {
		t.Fatalf("%d entries: %v", len(rows), rows)
	}
	storetest.Wants(t, rows[1], map[string]string{"actor": "bob", "action": "export schedule stored", "subject": "finance"})
	storetest.Wants(t, rows[2], map[string]string{"actor": "bob", "action": "export schedule deleted"})
	if !strings.Contains(rows[1]["detail"], `"keep": 12`) && !strings.Contains(rows[1]["detail"], `"keep":12`) {
		t.Errorf("the log has %s", rows[1]["detail"])
	}
}

// Two schedules never share a folder, however it is spelt, also if two are stored at once.
func TestOneFolderTakesOneSchedule(t *testing.T) {
	s := storetest.New(t)
	save := func(name, target string) error {
		x := finance()
		x.Name, x.Target = name, target
		_, err := s.Exports.Save(t.Context(), "ada", noon, x)
		return err
	}
	for _, x := range [][2]string{{"a", "s3://bucket/costs"}, {"b", "/var/exports/costs"}, {"c", "s3://bucket/costs-2"}} {
		if err := save(x[0], x[1]); err != nil {
			t.Fatal(err)
		}
	}
	for target, owner := range map[string]string{"s3://bucket/costs/": "a", "file:///var/exports/costs": "b",
		"/var/exports/./costs/": "b"} {
		refused := new(*metrics.OptionError)
		if err := save("d", target); !errors.As(err, refused) || (*refused).Option != "to" ||
			!strings.Contains(err.Error(), "folder of the schedule "+owner) || !strings.Contains(err.Error(), "costs/d") {
			t.Errorf("%s: %v", target, err)
		}
	}
	if err := save("a", "s3://bucket/costs/"); err != nil {
		t.Errorf("another spelling of its own folder: %v", err)
	}
	if err := save("c", "s3://bucket/costs"); err == nil {
		t.Error("a schedule moves to another's folder")
	}
	both := make(chan error)
	for _, name := range []string{"x", "y"} {
		go func() { both <- save(name, "s3://bucket/new") }()
	}
	if first, second := <-both, <-both; (first == nil) == (second == nil) {
		t.Errorf("stored at once: %v, %v", first, second)
	}
	all, err := s.Exports.List(t.Context())
	if err != nil || len(all) != 4 || all[2].Target != "s3://bucket/costs-2" {
		t.Errorf("%d schedules, %v", len(all), err)
	}
}

func TestRunsAreKept(t *testing.T) {
	s := storetest.New(t)
	if _, err := s.Exports.Save(t.Context(), "ada", noon, finance()); err != nil {
		t.Fatal(err)
	}
	of, err := s.Exports.Schedule(t.Context(), "finance")
	if err != nil {
		t.Fatal(err)
	}
	tick := outgoing.Daily.Tick(noon)
	run := func(state outgoing.RunState, text string) outgoing.Stored {
		t.Helper()
		if err := s.Exports.Start(t.Context(), "finance", tick, noon); err != nil {
			t.Fatal(err)
		}
		r := &outgoing.Run{Name: "finance", Tick: tick, StartedAt: noon, EndedAt: &noon, State: state, Error: text,
			Totals: outgoing.Totals{Written: 2, Rows: 9}}
		if err := s.Exports.Finish(t.Context(), &of, r); err != nil {
			t.Fatal(err)
		}
		got, err := s.Exports.Schedule(t.Context(), "finance")
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := run(outgoing.Failed, "access denied"); got.Done != nil || got.Last.Tries != 1 ||
		got.Last.Error != "access denied" || got.Last.Rows != 9 || !got.Last.EndedAt.Equal(noon) {
		t.Errorf("%+v %+v", got, got.Last)
	}
	rows := storetest.Table(t, s, "export_schedules", metrics.Options{})
	storetest.Wants(t, rows[0], map[string]string{"name": "finance", "dataset": "costs", "last_state": "failed",
		"last_error": "access denied", "last_tries": "1", "last_done": "",
		"options": "filter=cause+%21%3D+free&group-by=team", "keep": "", "months": "3"})
	if got := run(outgoing.Done, ""); !got.Done.Equal(tick) || got.Last.Tries != 2 || got.Last.Error != "" {
		t.Errorf("%+v %+v", got, got.Last)
	}
	rows = storetest.Table(t, s, "export_schedules", metrics.Options{})
	storetest.Wants(t, rows[0], map[string]string{"last_tries": "2", "last_done": "2026-11-29T00:00:00Z"})
	changed := finance()
	changed.Months = 1
	if _, err := s.Exports.Save(t.Context(), "ada", noon.Add(time.Second), changed); err != nil {
		t.Fatal(err)
	}
	if got := run(outgoing.Done, ""); got.Done != nil {
		t.Errorf("a run of the earlier schedule counts for the changed one: %+v", got)
	}
	rows = storetest.Table(t, s, "export_runs", metrics.Options{})
	if len(rows) != 1 {
		t.Fatalf("%d runs", len(rows))
	}
	storetest.Wants(t, rows[0], map[string]string{"state": "done", "tries": "3", "written": "2", "rows": "9", "error": ""})
	storetest.MustExec(t, s, `insert into export_runs (tenant_id, name, tick, tries, started_at, state)
		select 1, 'finance', timestamptz '2026-01-01Z' + n * interval '1 hour', 1, now(), 'done'
		from generate_series(1, 250) n`)
	run(outgoing.Done, "")
	if n := len(storetest.Table(t, s, "export_runs", metrics.Options{})); n != 200 {
		t.Errorf("%d runs are kept", n)
	}
}

func TestOneExportWritesToATarget(t *testing.T) {
	s := storetest.New(t)
	unlock, ok, err := s.Exports.Lock(t.Context(), "s3://bucket/costs")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if _, ok, err := s.Exports.Lock(t.Context(), "s3://bucket/costs"); err != nil || ok {
		t.Error(ok, err)
	}
	unlock()
	unlock, ok, err = s.Exports.Lock(t.Context(), "s3://bucket/costs")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	unlock()
}
