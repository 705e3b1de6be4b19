package posting_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"gpuledger/ingest"
	"gpuledger/internal/analysis"
	"gpuledger/internal/fleetsim"
	"gpuledger/internal/period"
	"gpuledger/internal/star"
	"gpuledger/internal/store/verify"
	"gpuledger/metrics"
	"gpuledger/test/tier"
)

// TestRollUpsSayWhatTheLedgerSays runs random queries with and without roll-ups: before there are any, while days are
// stale, after late facts, after closing and after reopening. Answers are equal to the digit.
func TestRollUpsSayWhatTheLedgerSays(t *testing.T) {
	t.Parallel()
	cfg := fleetsim.Preset(fleetsim.Small)
	if tier.Full() { // make test-real: all bills, late facts, closing, reopening
		cfg = cfg.Everywhere()
	}
	cfg.Start = cfg.Start.AddDate(0, 0, -2)
	w := simulate(t, cfg)
	w.load("openmetrics", w.files.Telemetry...)
	w.allocate() // without bills, which then replace the estimates
	w.loadFolder()
	const document = `version: passes-on
redistribute:
  - {causes: [free, stranded, unavailable], method: held}
currency:
  rates:
    - {from: USD, to: EUR, on: 2026-10-01, rate: 0.9, source: test}
    - {from: USD, to: EUR, on: 2026-11-01, rate: 0.87654321, source: test}
`
	if _, _, err := w.store.SavePolicy(t.Context(), []byte(document), "finance"); err != nil {
		t.Fatal(err)
	}
	w.allocate()
	ask := &asker{world: w, rand: rand.New(rand.NewPCG(1, 2))}
	ask.questions("before any roll-up", 3)

	w.analyse()
	if stale := w.rows("select day from stale_days where what = 'ledger' union select day from analysis_days where " +
		"step = 'costs'"); len(stale) != 0 {
		t.Fatalf("days %v are stale after analysis", stale)
	}
	ask.questions("of every day", 25)
	ask.wholeMonths()
	ask.questions("of whole months", 25)
	ask.tops()
	ask.places()
	ask.lives("of whole months")
	ask.figures("of whole months")
	ask.verified("of whole months")

	w.change(`insert into stale_days (tenant_id, day, what) select 1, day, 'ledger' from rolled_days
		where extract(day from day)::int % 7 = 3`)
	ask.questions("while days are stale", 20)
	ask.lives("while days are stale")
	ask.figures("while days are stale")
	w.analyse()
	if ask.rolled == 0 {
		t.Error("no question was answered from roll-ups")
	}
	if !tier.Full() {
		return
	}

	later := filepath.Join(t.TempDir(), "later")
	if _, err := w.fleet.WriteLater(later); err != nil {
		t.Fatal(err)
	}
	w.take(ingest.Request{Source: ingest.SourceAuto}, []string{mustRel(t, w.dir, later)})
	w.allocate()
	ask.questions("after late facts", 20)
	w.analyse()
	ask.questions("of late facts", 20)
	ask.lives("of late facts")
	ask.figures("of late facts")
	ask.verified("of late facts")

	w.closeAll()
	ask.questions("closed", 15)
	ask.lives("closed")
	w.analyse()
	ask.questions("closed and analysed", 15)
	ask.lives("closed and analysed")
	ask.figures("closed and analysed")
	ask.verified("closed and analysed")

	if _, err := w.closer().Reopen(t.Context(), w.month(), "", "a test", "finance"); err != nil {
		t.Fatal(err)
	}
	ask.questions("reopened", 10)
	w.allocate()
	w.analyse()
	ask.questions("reopened and analysed", 10)
	ask.lives("reopened and analysed")
	ask.verified("reopened and analysed")
}

func (w *world) analyse() {
	w.t.Helper()
	if _, err := (&analysis.Analyst{Store: w.store}).Run(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
}

// asker runs random queries.
type asker struct {
	*world
	rand   *rand.Rand
	rolled int // queries with rows
	turn   int // for the windows of keys
	stage  int // for the windows of lives
}

// wholeMonths rolls up the days of the months in which the fleet did not exist, as if it had.
func (a *asker) wholeMonths() {
	a.t.Helper()
	from, to := period.MonthOf(period.FromTime(a.files.From)).From, period.MonthOf(period.FromTime(a.files.To)).To
	for day := from; day < to; day += period.Day {
		if _, _, err := a.store.RollUpDays(a.t.Context(), "costs", []period.Second{day}); err != nil {
			a.t.Fatal(err)
		}
	}
	if _, err := a.store.RollUpMonths(a.t.Context()); err != nil {
		a.t.Fatal(err)
	}
	if months := a.rows("select month from rolled_months"); len(months) != 2 {
		a.t.Fatalf("months %v are there; want two", months)
	}
}

// verified fails if verify finds a roll-up that differs from the ledger.
func (a *asker) verified(when string) {
	a.t.Helper()
	report, err := a.store.Verify(a.t.Context(), verify.Options{})
	if err != nil {
		a.t.Fatal(err)
	}
	checked := 0
	for _, c := range report.Checks {
		if strings.HasPrefix(c.Name, "roll-ups") || c.Name == "days of runs" {
			checked++
			if c.State != verify.CheckPassed {
				a.t.Errorf("%s: %s: %v", when, c.Name, c.Rows)
			}
		}
	}
	names := map[string]bool{}
	for _, f := range star.Facts {
		names[verify.OfFact(f)] = true
	}
	if want := 3 + len(names); checked != want {
		a.t.Errorf("%s: %d checks of roll-ups, want %d", when, checked, want)
	}
}

func (a *asker) questions(when string, n int) {
	a.t.Helper()
	for range tier.Draws(n) {
		dataset, o := a.question()
		a.rolled += a.compare(when, dataset, o)
	}
}

// tops queries the first rows of long answers, which are found before they are added up.
func (a *asker) tops() {
	a.t.Helper()
	from, to := a.files.From.Format("2006-01")+"-01", a.files.To.AddDate(0, 1, 0).Format("2006-01")+"-01"
	for _, o := range []metrics.Options{
		{GroupBy: "run", Limit: "5"}, // rows without a run are among them
		{GroupBy: "run,team", Filter: "run != ''", Order: "-effective_cost", Limit: "7"},
		{GroupBy: "team,run,cause", Order: "-gpu_hours", Limit: "9", Granularity: "month"},
		{GroupBy: "run", Order: "idle_share", Limit: "11", Filter: "workload_class = run"},
		{
			GroupBy: "run", Order: "-list_cost", Limit: "3", Granularity: "day",
			To: a.files.From.AddDate(0, 0, 9).Format(time.DateOnly),
		},
		{GroupBy: "run,workload_class", Order: "run", Limit: "4", Currency: "EUR", Basis: "list"},
	} {
		if o.From = from; o.To == "" {
			o.To = to
		}
		if n := a.compare("the first", "costs", o); fmt.Sprint(n) != o.Limit {
			a.t.Errorf("%+v has %d rows", o, n)
		}
	}
}

// places queries devices by kind of machine, which are added up separately, and card by card, to compare them.
func (a *asker) places() {
	a.t.Helper()
	day := func(n int) string { return a.files.From.AddDate(0, 0, n).Format(time.DateOnly) }
	for _, o := range []metrics.Options{
		{GroupBy: "gpu_model"},
		{GroupBy: "cluster,account,pricing", Granularity: "day"},
		{GroupBy: "instance_type,zone", Filter: "region != nowhere", From: day(1), To: day(3)},
		{GroupBy: "region", Granularity: "month", Order: "-effective_cost"},
	} {
		read := func(filter string) (rows []string, reads map[string]int64) {
			o.Filter = filter
			q, err := metrics.Parse("devices", o)
			if err != nil {
				a.t.Fatalf("%+v: %v", o, err)
			}
			answer, err := a.store.Query(a.t.Context(), q)
			if err != nil {
				a.t.Fatalf("%+v: %v", o, err)
			}
			if reads, err = a.store.Reads(a.t.Context(), q); err != nil {
				a.t.Fatalf("%+v: %v", o, err)
			}
			return cells(a.t, answer), reads
		}
		if o.Filter == "" {
			o.Filter = "region != nowhere or region is null"
		}
		places, few := read(o.Filter)
		cards, many := read("(" + o.Filter + ") and device != nothing")
		if diff := cmp.Diff(cards, places); diff != "" || len(cards) == 0 {
			a.t.Errorf("%+v (- cards, + places):\n%s", o, diff)
		}
		if few["device_days"]+few["device_months"] != 0 || many["device_days"]+many["device_months"] == 0 {
			a.t.Errorf("%+v: places are read from %v, cards from %v", o, few, many)
		}
	}
}

// lives queries runs, whose whole lives are added up by day, with windows that cut days and windows that do not.
func (a *asker) lives(when string) {
	a.t.Helper()
	day := func(n int) string { return a.files.From.AddDate(0, 0, n).Format(time.DateOnly) }
	windows := []metrics.Options{{}, {From: day(2), To: day(4)}, {From: day(1) + "T07:00", To: day(3) + "T12:30"}}
	if !tier.Full() { // another one at each stage
		a.stage++
		windows = windows[a.stage%len(windows):][:1]
	}
	for _, o := range windows {
		for _, dataset := range []string{"runs", "attempts", "groups", "scaling", "experiments"} {
			if n := a.compare(when, dataset, o); n == 0 && o.From == "" {
				a.t.Errorf("%s: no %s", when, dataset)
			}
		}
	}
	a.compare(when, "runs", metrics.Options{GroupBy: "team,kind"})
}

// compare queries roll-ups and the ledger, and returns how many rows both answer.
func (a *asker) compare(when, dataset string, o metrics.Options) int {
	a.t.Helper()
	q, err := metrics.Parse(dataset, o)
	if err != nil {
		a.t.Fatalf("%+v: %v", o, err)
	}
	got, err := a.store.Query(a.t.Context(), q)
	if err != nil {
		a.t.Fatalf("%s, %+v: %v", when, o, err)
	}
	want, err := a.store.QueryLedger(a.t.Context(), q)
	if err != nil {
		a.t.Fatalf("%s, %+v: %v", when, o, err)
	}
	rolled, ledger := cells(a.t, got), cells(a.t, want)
	if diff := cmp.Diff(ledger, rolled); diff != "" {
		a.t.Fatalf("%s, %s %+v (- ledger, + roll-ups):\n%s", when, dataset, o, diff)
	}
	return len(rolled)
}

func cells(t *testing.T, rows metrics.Rows) []string {
	t.Helper()
	defer rows.Close()
	var out []string
	for rows.Next() {
		var line []string
		for i, v := range rows.Values() {
			line = append(line, v.String(rows.Columns()[i].Kind))
		}
		out = append(out, strings.Join(line, "|"))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func (a *asker) one(list ...string) string { return list[a.rand.IntN(len(list))] }

// question is any query that roll-ups may answer, and sometimes one that only the ledger can.
func (a *asker) question() (string, metrics.Options) {
	keys := []string{"business_unit", "provider", "billing_account", "account", "billing_period", "region", "zone",
		"cluster", "instance_type", "gpu_model", "mig_profile", "pricing",
		"commitment", "service_name", "namespace", "workload_kind", "workload_class",
		"service", "team", "project", "model", "stage", "environment", "experiment", "user",
		"cause", "charge_category", "quality", "state", "kind", "tenant", "label:team", "node", "run"}
	var by []string
	for range a.rand.IntN(4) {
		if k := keys[a.rand.IntN(len(keys))]; !strings.Contains(strings.Join(by, ","), k) {
			by = append(by, k)
		}
	}
	at := func() string {
		hours := a.rand.IntN(int(a.files.To.Sub(a.files.From).Hours()) + 48)
		day := a.files.From.AddDate(0, 0, hours/24-1).Format("2006-01-02")
		if a.rand.IntN(2) == 0 {
			return day
		}
		return fmt.Sprintf("%sT%02d:00", day, hours%24)
	}
	o := metrics.Options{
		GroupBy:     strings.Join(by, ","),
		Granularity: a.one("", "total", "day", "month", "week", "hour"),
		Basis:       a.one("", "list", "billed"),
		TZ:          a.one("", "", "UTC", "Europe/Berlin", "America/Los_Angeles", "Asia/Kolkata"),
		Sharing:     a.one("", "", "after"),
		Currency:    a.one("", "", "EUR"),
		Filter: a.one("", "", "team = research", "cause in (used, held_idle) and not team = unowned",
			"workload_class = run or service != ''", "cluster like '%a%'",
			"gpu_model = ''", "state = final", "kind = adjustment", "provider = aws and cause != free"),
		BillingPeriod: a.one("", "", "", string(a.month())),
	}
	switch a.rand.IntN(3) {
	case 0:
		o.From, o.To = at(), ""
	case 1:
		o.From, o.To = a.files.From.Format("2006-01")+"-01", a.files.To.AddDate(0, 1, 0).Format("2006-01")+"-01"
	}
	if a.rand.IntN(3) == 0 {
		o.To = at()
	}
	if o.From != "" && o.To != "" && o.From >= o.To {
		o.To = ""
	}
	dataset := a.one("costs", "costs", "chargeback")
	if dataset == "chargeback" {
		o.Sharing = ""
	}
	return dataset, o
}

func (w *world) change(sql string) {
	w.t.Helper()
	conn, err := pgx.Connect(w.t.Context(), w.dsn)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = conn.Close(w.t.Context()) }()
	if _, err := conn.Exec(w.t.Context(), sql); err != nil {
		w.t.Fatal(err)
	}
}
