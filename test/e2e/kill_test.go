package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/store/verify"
	"gpuledger/test/tier"
)

// ledgerReports are compared byte for byte: all money, all quantities.
var ledgerReports = [][]string{
	{"costs", "--group-by=cause,team,run"},
	{"costs", "--granularity=hour", "--group-by=node,pricing,quality"},
	{"runs"}, {"attempts"}, {"reconciliation"}, {"charges"}, {"usage"}, {"postings"},
}

// ledgerOf returns the ledger of a database as CSV, report by report.
func ledgerOf(t testing.TB, db string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, args := range ledgerReports {
		out[strings.Join(args, " ")] = must(t, append([]string{db, "report", "--format=csv"}, args...)...)
	}
	return out
}

func sameLedger(t testing.TB, want, got map[string]string) {
	t.Helper()
	for name, text := range want {
		if text == got[name] {
			continue
		}
		a, b := strings.Split(text, "\r\n"), strings.Split(got[name], "\r\n")
		i := 0
		for i < min(len(a), len(b))-1 && a[i] == b[i] {
			i++
		}
		t.Errorf("report %s differs: %d and %d lines; line %d\nwant %s\ngot  %s", name, len(a), len(b), i+1, a[i], b[i])
	}
}

// nothingHalf fails if rows are visible in part: current data must be complete, and everything that allocate has not
// done yet must be marked.
func nothingHalf(t testing.TB, db string, conn *pgx.Conn, when string) {
	t.Helper()
	var report verify.Report
	code, out, errs := gpuledger(t, db, "verify", "--output=json")
	if code != exitOK && code != exitPending {
		t.Errorf("%s: verify: status %d: %s", when, code, clip(errs))
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	for _, c := range report.Checks {
		if c.State == verify.CheckFailed {
			t.Errorf("%s: %s: %v", when, c.Name, c.Rows)
		}
	}
	torn := scan[int](t, conn, `select count(*) from deliveries d
		where d.state = 'current' and d.rows <> (select sum(c.lines) from charges c where c.delivery_id = d.delivery_id)
		   or not exists (select from control_totals t where t.delivery_id = d.delivery_id)
		   or not exists (select from delivery_files f where f.delivery_id = d.delivery_id)`)
	orphans := scan[int](t, conn,
		"select count(*) from charge_rows c where not exists (select from deliveries d where d.number = c.delivery)")
	if torn > 0 || orphans > 0 {
		t.Errorf("%s: %d deliveries are not whole, %d charges belong to none", when, torn, orphans)
	}
}

// stopPoint is an instant inside a command: the next action of the database.
type stopPoint struct {
	name    string
	command string
	table   string
	event   string // insert or update
	when    string // condition on the row
	last    bool   // passes also if no work is left: comes after the random kills
}

// stopPoints has one row per database of the test. Those that are not last come before the random kills, while all the
// work is left.
var stopPoints = [][]stopPoint{
	{
		{"while a bill is published", "import", "deliveries", "insert", "true", false},
		{
			"after telemetry was published, before its import ended",
			"import", "imports", "update", "new.source = 'openmetrics'", true,
		},
		{"while charges are cut", "allocate", "parts", "insert", "true", false},
	}, {
		{
			"after a bill was published, before its import ended",
			"import", "imports", "update", "new.source = 'aws-cur'", false,
		},
		{"while a chunk of the second day is saved", "allocate", "chunks", "insert", "new.day >= '2026-11-03'", false},
	}, {
		{"while telemetry is published", "import", "devices", "insert", "true", false},
		{
			"after the ledger was written, before the calculation ended", "allocate",
			"calculations", "update", "new.finished_at is not null", true,
		},
	},
}

const stopKey = 7919 // of the advisory lock that stops a process

// hold makes every process that reaches a stop point wait there until it is released.
func hold(t testing.TB, conn *pgx.Conn, p stopPoint) (release func()) {
	t.Helper()
	execute(t, conn, fmt.Sprintf(`create or replace function stop_here() returns trigger language plpgsql as
		'begin perform pg_advisory_xact_lock(%d); return new; end';
		create trigger stop_here before %s on %s for each row when (%s) execute function stop_here();
		select pg_advisory_lock(%d)`, stopKey, p.event, p.table, p.when, stopKey))
	return func() {
		t.Helper()
		execute(t, conn, fmt.Sprintf("select pg_advisory_unlock(%d); drop trigger stop_here on %s", stopKey, p.table))
	}
}

// situation is the state to look at when processes do not behave as expected.
const situation = `select coalesce(string_agg(line, E'\n'), 'nothing at all') from (
  select concat_ws(' ', 'session', application_name, state, wait_event, now() - query_start, left(query, 100))
  from pg_stat_activity where datname = current_database()
  union all select concat_ws(' ', 'calculation', calculation_id, started_at, seen_at, finished_at, message)
  from calculations
  union all select concat_ws(' ', 'batch', calculation_id, batch, worker, slot, tries, result is not null, message)
  from allocation_batches
  union all select concat_ws(' ', 'worker', worker, seen_at) from allocation_workers) all_of_it (line)`

// untilWaiting waits until all processes wait in the database.
func untilWaiting(t testing.TB, conn *pgx.Conn, p stopPoint, all ...*process) {
	t.Helper()
	defer func() {
		if t.Failed() {
			t.Log(scan[string](t, conn, situation))
		}
	}()
	until(t, fmt.Sprintf("%d processes to stop %s", len(all), p.name), func() bool {
		for _, child := range all {
			select {
			case <-child.ended:
				t.Fatalf("%s: gpuledger ended before\n%s", p.name, child.errs.String())
			default:
			}
		}
		return scan[int](t, conn, "select count(distinct pid) from pg_locks where not granted") >= len(all)
	})
}

// killAt runs a command until the database is about to do the action of p, kills it, and lets the database continue.
func killAt(t testing.TB, conn *pgx.Conn, p stopPoint, args ...string) {
	t.Helper()
	release := hold(t, conn, p)
	child := start(t, args...)
	untilWaiting(t, conn, p, child)
	if !child.kill(t) {
		t.Errorf("%s: not killed", p.name)
	}
	release()
}

// seeded returns random numbers with a printed seed that can be set again.
func seeded(t testing.TB) *rand.Rand {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("GPULEDGER_TEST_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal("GPULEDGER_TEST_SEED: ", err)
		}
	}
	t.Logf("GPULEDGER_TEST_SEED=%d repeats the moments", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// TestKilledAnywhere kills import and allocate with SIGKILL at random moments
// and at the worst ones, runs them again to the end, and compares the ledger
// with an undisturbed one.
func TestKilledAnywhere(t *testing.T) {
	tier.OnlyInFull(t, "kills at a dozen places")
	random, dir := seeded(t), smallFleet(t)
	calm := emptyDatabase(t)
	imported := start(t, calm, "import", "auto", dir)
	imported.wait(t)
	allocated := start(t, calm, "allocate")
	allocated.wait(t)
	want := ledgerOf(t, calm)
	if rows := strings.Count(want["postings"], "\r\n"); rows < 5000 {
		t.Fatalf("a ledger of %d postings is not worth comparing", rows)
	}
	t.Logf("undisturbed: import %.2f s, allocate %.2f s", imported.took.Seconds(), allocated.took.Seconds())

	k := &killer{
		random: random, dir: dir, whole: map[string]time.Duration{"import": imported.took, "allocate": allocated.took},
	}
	for i := range stopPoints {
		t.Run(fmt.Sprint("database ", i+1), func(t *testing.T) {
			db := emptyDatabase(t)
			must(t, db, "migrate")
			conn := connect(t, db)
			k.torment(t, i, db, conn, "import", "auto", dir)
			k.torment(t, i, db, conn, "allocate")
			sameLedger(t, want, ledgerOf(t, db))
			nothingHalf(t, db, conn, "at the end")
			if scan[int](t, conn, "select count(*) from dirty") > 0 {
				t.Error("allocate left work")
			}
		})
	}
	if t.Logf("%d kills", k.kills); k.kills < 12 && !t.Failed() {
		t.Errorf("only %d kills", k.kills)
	}
}

// killer kills commands and counts.
type killer struct {
	random *rand.Rand
	dir    string
	whole  map[string]time.Duration // undisturbed, by command
	kills  int
}

// torment kills one command again and again, then lets it end.
func (k *killer) torment(t *testing.T, i int, db string, conn *pgx.Conn, args ...string) {
	t.Helper()
	command, args := args[0], append([]string{db}, args...)
	stop := func(last bool) {
		for _, p := range stopPoints[i] {
			if p.command != command || p.last != last {
				continue
			}
			killAt(t, conn, p, args...)
			k.killed(t, db, conn, command+" killed "+p.name)
		}
	}
	stop(false)
	if command == "import" && i == 1 { // only a bill
		start(t, db, "allocate").wait(t)
		k.killed(t, db, conn, "allocated after the kill")
		k.kills--
	}
	const each = 2
	left := 1.0 // of the work; a killed import starts over
	for n := range each {
		// Every database takes its share of the whole duration.
		part := (float64(n*len(stopPoints)+i) + k.random.Float64()) / float64(each*len(stopPoints)) * left
		whole := k.whole[command]
		for {
			after := time.Duration(part * float64(whole))
			child := start(t, args...)
			if child.killAfter(t, after) {
				k.killed(t, db, conn, fmt.Sprintf("%s killed after %.2f s", command, after.Seconds()))
				break
			}
			t.Logf("%s ended within %.2f s", command, after.Seconds())
			if command == "allocate" { // no work is left
				break
			}
			whole = min(child.took, after) // an import that repeats another has less new
		}
		if command == "allocate" {
			left -= part
		}
	}
	stop(true)
	start(t, args...).wait(t)
}

func (k *killer) killed(t *testing.T, db string, conn *pgx.Conn, when string) {
	t.Helper()
	k.kills++
	t.Log(when)
	nothingHalf(t, db, conn, when)
}

// TestTwoAtOnce imports the same files from two processes that meet while they publish, then allocates from two; then
// imports while allocating.
func TestTwoAtOnce(t *testing.T) {
	dir := smallFleet(t)
	calm, db := smallLedger(t), emptyDatabase(t)

	// The same for the schema: both find the database empty.
	a, b := start(t, db, "import", "price-book", dir), start(t, db, "import", "spot-events", dir)
	a.wait(t)
	b.wait(t)
	conn := connect(t, db)
	for source, p := range map[string]stopPoint{"aws-cur": stopPoints[0][0], "openmetrics": stopPoints[2][0]} {
		release := hold(t, conn, p)
		a, b := start(t, db, "import", source, dir, "--output=json"), start(t, db, "import", source, dir, "--output=json")
		untilWaiting(t, conn, p, a, b)
		release()
		states := map[string]int{}
		for _, child := range []*process{a, b} {
			child.wait(t)
			var sum struct{ Deliveries []struct{ State string } }
			if err := json.Unmarshal([]byte(child.out.String()), &sum); err != nil {
				t.Fatalf("%v: %s", err, child.out.String())
			}
			for _, d := range sum.Deliveries {
				states[d.State]++
			}
		}
		if source == "aws-cur" && (states["published"] != 1 || states["unchanged"] != 1) {
			t.Errorf("one publishes and one finds it unchanged, not %v", states)
		}
	}
	a, b = start(t, db, "allocate"), start(t, db, "allocate")
	a.wait(t)
	b.wait(t)
	want := ledgerOf(t, calm)
	sameLedger(t, want, ledgerOf(t, db))
	nothingHalf(t, db, conn, "after two at once")

	if !tier.Full() {
		return
	}
	// Allocate again and again while all sources import at once.
	slow := emptyDatabase(t)
	must(t, slow, "migrate")
	conn = connect(t, slow)
	var files []*process
	for _, source := range []string{"openmetrics", "spot-events", "aws-cur", "price-book"} {
		files = append(files, start(t, slow, "import", source, dir))
	}
	rounds := 0
	for running := true; running; rounds++ {
		start(t, slow, "allocate").wait(t)
		nothingHalf(t, slow, conn, "while imports run")
		running = false
		for _, p := range files {
			select {
			case <-p.ended:
			default:
				running = true
			}
		}
	}
	for _, p := range files {
		p.wait(t)
	}
	start(t, slow, "allocate").wait(t)
	t.Logf("%d allocations while imports ran", rounds)
	sameLedger(t, want, ledgerOf(t, slow))
}
