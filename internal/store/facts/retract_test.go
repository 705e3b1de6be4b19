package facts_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gpuledger/ingest/attempts"
	"gpuledger/ingest/runrecords"
	"gpuledger/ingest/slurm"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store"
	"gpuledger/test/storetest"
)

// stated reads an attempts file as the import does.
func stated(t testing.TB, text string) *ledger.Telemetry {
	t.Helper()
	var all ledger.Telemetry
	_, err := attempts.Parse(t.Context(), strings.NewReader(text), "a.csv", attempts.Options{Cluster: "c"},
		func(b *ledger.Telemetry) error {
			all = *b // a batch has room for more than these tests have
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	return &all
}

const statedHeader = "run_id,attempt,task,submitted_at,started_at,ended_at,outcome,nodes,pods,gpus,devices,last_checkpoint_at,resumed_from,team,label:lr\n"

// anyStatement generates a random row about try n of run r.
func anyStatement(r *rand.Rand, run string, n int) string {
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	clock := func(hour int) string { return fmt.Sprintf("2026-11-03T%02d:%02d:00Z", hour+n, r.IntN(60)) }
	ended, outcome := clock(5), one("failed", "succeeded", "spot", "oom")
	if r.IntN(3) == 0 {
		ended, outcome = "", ""
	}
	nodes, pods, devices := one("", "a", "a;b", "b;d"), "", one("", "GPU-1", "a/2;b/GPU-9")
	if r.IntN(4) == 0 {
		nodes, pods, devices = "", one("p1", "p1;p2", "p2"), ""
	}
	return strings.Join([]string{run, fmt.Sprint(n), "", one("", clock(0)), clock(2), ended, outcome, nodes, pods,
		one("", "4", "16"), devices,
		one("", clock(3)), one("", clock(1)), one("", "x", "y"), one("", "3e-4")}, ",") + "\n"
}

// A later import about attempts replaces the earlier one as if that had never been. A repetition changes nothing, and
// other attempts stay.
func TestALaterStatementReplacesTheEarlier(t *testing.T) {
	rows := func(s *store.Store) string {
		return storetest.Dump(t, s,
			"select t::text from workload_facts t union all select t::text from segment_facts t union all select t::text "+
				"from checkpoint_facts t union all select t::text from placements t order by 1")
	}
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 7))
		other := anyStatement(r, "other", 1)
		first, second := statedHeader+other, statedHeader
		for n := range 3 {
			first += anyStatement(r, "r", n+1)
			second += anyStatement(r, "r", n+1)
		}
		s, want := storetest.New(t), storetest.New(t)
		storetest.PublishTelemetry(t, s, stated(t, first))
		storetest.PublishTelemetry(t, s, stated(t, second))
		storetest.PublishTelemetry(t, want, stated(t, statedHeader+other))
		storetest.PublishTelemetry(t, want, stated(t, second))
		if diff := cmp.Diff(rows(want), rows(s)); diff != "" {
			t.Fatalf("seed %d:\n%s%s\n%s", seed, first, second, diff)
		}
		before := storetest.DumpFacts(t, s)
		storetest.PublishTelemetry(t, s, stated(t, second))
		if diff := cmp.Diff(before, storetest.DumpFacts(t, s)); diff != "" {
			t.Fatalf("seed %d: the same file again changes rows:\n%s", seed, diff)
		}
	}
}

// A correction reaches the books: fewer GPUs, another machine, an earlier end, and no checkpoint or label any more.
func TestACorrectionIsWhatTheWorldHolds(t *testing.T) {
	s := storetest.New(t)
	storetest.PublishTelemetry(t, s,
		stated(t, statedHeader+"r,1,,,2026-11-03T01:00:00Z,2026-11-03T09:00:00Z,failed,a;b,,16,,2026-11-03T08:00:00Z,,x,3e-4\n"))
	storetest.PublishTelemetry(t, s,
		stated(t, statedHeader+"r,1,,,2026-11-03T01:00:00Z,2026-11-03T05:00:00Z,succeeded,d,,8,,,,y,\n"))
	w, err := s.World(t.Context())
	if err != nil || len(w.Pods) != 1 || len(w.Checkpoints) != 0 {
		t.Fatalf("%v %+v %+v", err, w.Pods, w.Checkpoints)
	}
	p := w.Pods[0]
	if p.Node != "d" || p.Outcome != ledger.Succeeded || p.Completed.String() != "2026-11-03T05:00:00Z" ||
		p.Requests[ledger.ResourceGPU] != 8 ||
		p.Labels["team"] != "y" || p.Labels["lr"] != "" || p.Created != 0 {
		t.Errorf("%+v", p)
	}
	for i := range w.Objects {
		if o := &w.Objects[i]; o.Labels["team"] != "y" || o.Labels["lr"] != "" {
			t.Errorf("the run is still labelled as before: %+v", o)
		}
	}
}

// Devices that a correction no longer names are released.
func TestRetractedPlacementsMarkTheirMachines(t *testing.T) {
	s := storetest.New(t)
	w, names := storetest.SmallWorld()
	storetest.SaveWorld(t, s, w)
	storetest.PublishTelemetry(t, s,
		stated(t, statedHeader+"r,1,,,2026-11-03T01:00:00Z,2026-11-03T09:00:00Z,failed,a,,2,0;1,,,x,\n"))
	if _, err := s.Pool.Exec(t.Context(), "update workloads set uid = 'attempts/c//r//1/a', cluster = 'c'"); err != nil {
		t.Fatal(err)
	}
	storetest.Clean(t, s)
	storetest.PublishTelemetry(t, s,
		stated(t, statedHeader+"r,1,,,2026-11-03T01:00:00Z,2026-11-03T09:00:00Z,failed,a,,2,0,,,x,\n"))
	if got := storetest.DirtyDays(t, s, names); got == "" {
		t.Error("a card that is not named any more marks nothing")
	}
}

// accounting reads sacct output as the import does.
func accounting(t testing.TB, zone string, rows ...string) *ledger.Telemetry {
	t.Helper()
	in, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	var all ledger.Telemetry
	text := "JobIDRaw|JobName|User|State|Submit|Start|End|ElapsedRaw|AllocTRES|NodeList\n" + strings.Join(rows, "\n") +
		"\n"
	_, err = slurm.Parse(t.Context(), strings.NewReader(text), "s.txt", slurm.Options{Cluster: "c", Zone: in},
		func(b *ledger.Telemetry) error {
			all = *b
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	return &all
}

// Accounting that was read in the wrong time zone is replaced when it is read in the right one, as if it had never been
// read in the other. This includes requeues, reused job numbers and changes of the clock. Other jobs stay.
func TestAnotherZoneReplacesTheLivesOfJobs(t *testing.T) {
	rows := func(s *store.Store) string {
		return storetest.Dump(t, s,
			"select t::text from workload_facts t union all select t::text from objects t union all select t::text from "+
				"placements t union all select t::text from source_hours t order by 1")
	}
	first := []string{
		// across Berlin's clock change
		"1|a|u|COMPLETED|2026-10-25T00:30:00|2026-10-25T01:00:00|2026-10-25T06:00:00|21600|gres/gpu=4|n1",
		"2|a|u|COMPLETED|2026-11-02T10:00:00|2026-11-02T11:00:00|2026-11-02T12:00:00|3600|gres/gpu=4|n[1-2]",
		"3|a|u|REQUEUED|2026-11-02T10:00:00|2026-11-02T11:00:00|2026-11-02T12:00:00|3600|gres/gpu=2|n1",
		// the same number, whole hours later
		"3|a|u|COMPLETED|2026-11-02T12:00:00|2026-11-02T13:00:00|2026-11-02T14:00:00|3600|gres/gpu=2|n1",
		"4|a|u|RUNNING|2026-11-02T12:00:00|2026-11-02T13:00:00|Unknown|3600|gres/gpu=2|n3",
	}
	later := []string{
		// reused exactly a day later
		"3|b|u|COMPLETED|2026-11-03T12:00:00|2026-11-03T13:00:00|2026-11-03T14:00:00|3600|gres/gpu=2|n1",
		"4|a|u|COMPLETED|2026-11-02T12:00:00|2026-11-02T13:00:00|2026-11-03T13:00:00|86400|gres/gpu=2|n3",
	}
	for _, zone := range []string{"Europe/Berlin", "America/New_York", "Asia/Kolkata", "UTC"} {
		s, want := storetest.New(t), storetest.New(t)
		storetest.PublishTelemetry(t, want, accounting(t, zone, first...))
		storetest.PublishTelemetry(t, want, accounting(t, zone, later...))
		storetest.PublishTelemetry(t, s, accounting(t, "UTC", first...))
		storetest.PublishTelemetry(t, s, accounting(t, "UTC", later...))
		storetest.PublishTelemetry(t, s, accounting(t, zone, first...))
		storetest.PublishTelemetry(t, s, accounting(t, zone, later...))
		if diff := cmp.Diff(rows(want), rows(s)); diff != "" {
			t.Fatalf("%s:\n%s", zone, diff)
		}
		w, err := s.World(t.Context())
		if err != nil || len(w.Pods) != 7 {
			t.Fatalf("%s: %d lives, %v", zone, len(w.Pods), err)
		}
		before := storetest.DumpFacts(t, s)
		// the older export again ends nothing and begins nothing
		storetest.PublishTelemetry(t, s, accounting(t, zone, first...))
		if diff := cmp.Diff(before, storetest.DumpFacts(t, s)); diff != "" {
			t.Fatalf("%s: the first file again:\n%s", zone, diff)
		}
	}
}

// The same for attempts that are identified by their start.
func TestAnotherZoneReplacesAttemptsWithoutNumbers(t *testing.T) {
	read := func(zone *time.Location, at string) *ledger.Telemetry {
		var all ledger.Telemetry
		if _, err := attempts.Parse(t.Context(),
			strings.NewReader("run_id,started_at,ended_at,outcome,nodes,gpus\nr,"+at+",,running,a,4\n"), "a.csv",
			attempts.Options{Cluster: "c", Zone: zone}, func(b *ledger.Telemetry) error { all = *b; return nil }); err != nil {
			t.Fatal(err)
		}
		return &all
	}
	s := storetest.New(t)
	storetest.PublishTelemetry(t, s, read(nil, "2026-11-03 10:00:00"))
	storetest.PublishTelemetry(t, s, read(time.FixedZone("", 3600), "2026-11-03 10:00:00"))
	storetest.PublishTelemetry(t, s, read(nil, "2026-11-03T09:00:00Z")) // the same instant, with its zone
	w, err := s.World(t.Context())
	if err != nil || len(w.Pods) != 1 || w.Pods[0].Started.String() != "2026-11-03T09:00:00Z" {
		t.Errorf("%v: %+v", err, w.Pods)
	}
}

// The same for runs of experiment trackers.
func TestAnotherZoneReplacesRecordsOfRuns(t *testing.T) {
	read := func(zone *time.Location, state string) *ledger.Telemetry {
		var all ledger.Telemetry
		if _, err := runrecords.Parse(t.Context(),
			strings.NewReader("Name,ID,State,Created,Runtime,Hostname\nn,r1,"+state+",2026-11-03 10:00:00,3600,a\nn,r2,finished,2026-11-03 10:00:00,3600,a\n"), "w.csv",
			runrecords.Options{Cluster: "c", Zone: zone}, func(b *ledger.Telemetry) error { all = *b; return nil }); err != nil {
			t.Fatal(err)
		}
		return &all
	}
	s, berlin := storetest.New(t), time.FixedZone("", 3600)
	storetest.PublishTelemetry(t, s, read(nil, "running"))
	storetest.PublishTelemetry(t, s, read(nil, "finished"))
	storetest.PublishTelemetry(t, s, read(berlin, "finished"))
	storetest.PublishTelemetry(t, s, read(berlin, "running")) // an older export: the end stays
	got := storetest.Dump(t, s,
		"select run || to_char(from_at at time zone 'UTC', ' HH24:MI') || to_char(to_at at time zone 'UTC', ' HH24:MI') "+
			"from segment_facts order by 1")
	if got != "r1 09:00 10:00\nr2 09:00 10:00" {
		t.Errorf("%s", got)
	}
}
