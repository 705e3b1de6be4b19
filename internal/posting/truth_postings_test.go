package posting_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/metrics"
	"gpuledger/test/tier"
	"gpuledger/test/truth"
)

// postingKey identifies one posting in the same way in the ledger and in the truth.
type postingKey struct {
	Hour                  int64
	Instance              string
	Slot, Slice           int
	Pod, Run              string
	Attempt               int
	Task, Cause, Activity string
	File                  string
	Line                  int64
	Part, Kind            string
}

// figures are the exact values of a posting; nil is NULL.
type figures struct {
	values [8]*big.Rat // effective, billed, list, contracted, capacity, gpu hours, active gpu hours, energy
	steps  int64       // rounding steps between charge and posting

	team, quality, currency string
}

var figureNames = [8]string{
	"effective_cost", "billed_cost", "list_cost", "contracted_cost",
	"capacity_gpu_hours", "gpu_hours", "active_gpu_hours", "energy_kwh",
}

const ledgerPostings = `
select extract(epoch from p.hour)::bigint,
  coalesce(nullif(n.instance_id, ''), 'node/' || n.cluster || '/' || n.name, ''), coalesce(p.slot, -1),
  coalesce(p.slice_id, -1),
  coalesce(w.uid, ''), coalesce(p.run_id, ''), coalesce(a.attempt, 0), coalesce(a.task, ''), p.cause,
  coalesce(p.activity, ''),
  case c.provider when 'azure' then c.dataset || '/'
      else '' end || coalesce(regexp_replace(c.source_file, '.*/', ''), ''), coalesce(c.line, 0), pt.kind, p.kind,
  p.effective_cost::text, p.billed_cost::text, p.list_cost::text, p.contracted_cost::text,
  p.capacity_gpu_hours::text, p.gpu_hours::text, p.active_gpu_hours::text, p.energy_kwh::text,
  case when c.provider = 'owned' then 6 -- each component of the hour's cost is rounded
       when p.kind = 'amortise' then 5 -- over fees, beneficiaries, their hours, their rows
       when c.kind in ('usage', 'covered_usage')
         and c.charge_end - c.charge_start <= interval '1 hour' then 1 else 2 end
    + case when scale(trim_scale(coalesce(c.effective_cost, 0))) > 12
      or scale(trim_scale(coalesce(c.list_cost, 0))) > 12
             or scale(trim_scale(coalesce(c.billed_cost, 0))) > 12 then 1 else 0 end,
  o.team, p.quality, p.currency
from postings p
join owners o on o.tenant_id = p.tenant_id and o.owner_id = p.owner_id
join parts pt on pt.tenant_id = p.tenant_id and pt.hour = p.hour and pt.part_id = p.part_id
left join (select c.*, d.dataset from charges c join deliveries d using (tenant_id, delivery_id)
    where d.state = 'current') c -- restated deliveries have the same lines
  on c.tenant_id = p.tenant_id and c.charge_id = p.charge_id
left join nodes n on n.tenant_id = p.tenant_id and n.node_id = p.node_id
left join workloads w on w.tenant_id = p.tenant_id and w.workload_id = p.workload_id
left join attempts a on a.tenant_id = p.tenant_id and a.attempt_id = p.attempt_id`

// postings reads the ledger.
func (w *world) postings() map[postingKey]figures {
	w.t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, w.dsn)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = conn.Close(ctx) }()
	// Each table is scanned once, even without statistics of its size.
	if _, err := conn.Exec(ctx, "set enable_nestloop = off"); err != nil {
		w.t.Fatal(err)
	}
	rows, err := conn.Query(ctx, ledgerPostings)
	if err != nil {
		w.t.Fatal(err)
	}
	defer rows.Close()
	out := map[postingKey]figures{}
	for rows.Next() {
		var k postingKey
		var f figures
		var text [8]*string
		if err := rows.Scan(&k.Hour, &k.Instance, &k.Slot, &k.Slice, &k.Pod, &k.Run, &k.Attempt, &k.Task, &k.Cause,
			&k.Activity,
			&k.File, &k.Line, &k.Part, &k.Kind, &text[0], &text[1], &text[2], &text[3], &text[4],
			&text[5], &text[6], &text[7], &f.steps, &f.team, &f.quality, &f.currency); err != nil {
			w.t.Fatal(err)
		}
		for i, s := range text {
			if s == nil {
				continue
			}
			v, ok := new(big.Rat).SetString(*s)
			if !ok {
				w.t.Fatalf("%s is %q", figureNames[i], *s)
			}
			f.values[i] = v
		}
		if old, twice := out[k]; twice {
			if k.Kind != string(ledger.Amortise) { // one hour of a fee has several of these
				w.t.Fatalf("two postings of one key: %+v", k)
			}
			f = f.plus(old)
		}
		out[k] = f
	}
	if err := rows.Err(); err != nil {
		w.t.Fatal(err)
	}
	return out
}

// plus adds the values that both carry.
func (f figures) plus(g figures) figures {
	f.steps += g.steps
	for i, v := range g.values {
		switch {
		case f.values[i] == nil:
			f.values[i] = v
		case v != nil:
			f.values[i] = new(big.Rat).Add(f.values[i], v)
		}
	}
	return f
}

func truePostings(oracle *truth.Ledger) map[postingKey]figures {
	out := map[postingKey]figures{}
	for i := range oracle.Postings {
		p := &oracle.Postings[i]
		k := postingKey{
			p.Hour, p.Instance, p.Slot, int(p.Slice), p.PodUID, p.RunID, p.Attempt,
			p.Task, p.Cause, p.Activity, p.File, p.Line, p.Part, p.Kind,
		}
		values := [8]*big.Rat{
			p.Effective, p.Billed, p.List, p.Contracted, p.CapacityGPUHours, p.GPUHours, p.ActiveGPUHours, p.EnergyKWh,
		}
		f := figures{values: values, team: p.Team, quality: p.Quality, currency: p.Currency}
		if old, ok := out[k]; ok { // the truth may have several pieces for a key
			f = f.plus(old)
		}
		out[k] = f
	}
	return out
}

var unit = big.NewRat(1, 1_000_000_000_000)

// differences lists where the ledger and the truth differ: a key that one of them lacks, a NULL in only one of them,
// or a figure that is off by a unit or more per rounding step.
func differences(booked, oracle map[postingKey]figures) []string {
	var out []string
	for k, want := range oracle {
		got, ok := booked[k]
		if !ok {
			if zero(want) {
				continue
			}
			out = append(out, fmt.Sprintf("missing %+v %s", k, text(want)))
			continue
		}
		if got.team != want.team || got.quality != want.quality {
			out = append(out, fmt.Sprintf("owner %s, %s; want %s, %s: %+v", got.team, got.quality, want.team, want.quality, k))
		}
		for i := range want.values {
			w, g := want.values[i], got.values[i]
			if (w == nil) != (g == nil) {
				out = append(out, fmt.Sprintf("%s is %s, want %s: %+v", figureNames[i], rat(g), rat(w), k))
				continue
			}
			if w == nil {
				continue
			}
			steps := got.steps
			if i >= 4 {
				steps = 3 // rounded to the hour, to the row, and over the lines that carry it
			}
			diff := new(big.Rat).Sub(g, w)
			if diff.Abs(diff).Cmp(new(big.Rat).Mul(unit, big.NewRat(steps, 1))) >= 0 {
				out = append(out, fmt.Sprintf("%s is %s, want %s: %+v", figureNames[i], rat(g), rat(w), k))
			}
		}
	}
	for k, got := range booked {
		if _, ok := oracle[k]; !ok && !zero(got) {
			out = append(out, fmt.Sprintf("surplus %+v %s", k, text(got)))
		}
	}
	return sorted(out)
}

func zero(f figures) bool {
	for _, v := range f.values {
		if v != nil && v.Sign() != 0 {
			return false
		}
	}
	return true
}

func rat(r *big.Rat) string {
	if r == nil {
		return "NULL"
	}
	return r.FloatString(15)
}

func text(f figures) string {
	s := ""
	for i, v := range f.values {
		s += fmt.Sprintf(" %s=%s", figureNames[i], rat(v))
	}
	return s
}

func report(t *testing.T, diffs []string) {
	t.Helper()
	kinds := map[string]int{}
	for _, d := range diffs {
		kinds[digitsAndIDs.ReplaceAllString(d, "#")]++
	}
	if len(kinds) > 1 {
		t.Errorf("%d differences of %d kinds", len(diffs), len(kinds))
		for _, k := range slices.SortedFunc(maps.Keys(kinds), func(a, b string) int {
			return cmp.Compare(kinds[b], kinds[a])
		})[:min(20, len(kinds))] {
			t.Errorf("%6d × %s", kinds[k], k)
		}
		diffs = diffs[:1]
	}
	for i, d := range diffs {
		if i == 20 {
			t.Errorf("… and %d more", len(diffs)-i)
			return
		}
		t.Error(d)
	}
}

// digitsAndIDs are the parts in which two differences of one kind differ.
var digitsAndIDs = regexp.MustCompile(`-?[0-9]+(\.[0-9]+)?|(Instance|Pod|Run|Task|File):[^ ]*`)

// TestPostingsAgreeWithTheTruth is the strongest test of the project: the simulator's events, written in the real
// formats, read by the real parsers and allocated, equal the simulator's own exact ledger.
func TestPostingsAgreeWithTheTruth(t *testing.T) {
	t.Parallel()
	for seed := int64(1); seed <= int64(tier.Draws(20)); seed++ {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			cfg := fleetsim.Preset(fleetsim.Small)
			cfg.Seed = seed
			w := simulate(t, cfg)
			w.loadAll()
			w.load("aws-cur", w.files.AWSCUR...) // the same bill again changes nothing
			w.allocate()
			oracle := truth.Of(w.fleet)
			runsAgree(t, w, oracle)
			postings, booked := truePostings(oracle), w.postings()
			t.Logf("%d postings in the ledger, %d in the truth", len(booked), len(postings))
			report(t, differences(booked, postings))
		})
	}
}

// TestEveryBillAgreesWithTheTruth is the same for each kind of bill and for all of them together, across a change of
// month, with restated and late lines.
func TestEveryBillAgreesWithTheTruth(t *testing.T) {
	t.Parallel()
	type fleet struct {
		name   string
		change func(*fleetsim.Config)
	}
	fleets := []fleet{
		{"reservations, a capacity block, discounts", func(c *fleetsim.Config) { c.Commitments, c.EDPPercent = true, 12 }},
		{"a restated month", func(c *fleetsim.Config) { c.Restate = true }},
		{"owned", func(c *fleetsim.Config) { c.Owned = true }},
		{"Slurm", func(c *fleetsim.Config) { c.Slurm = true }},
		{"Google", func(c *fleetsim.Config) { c.GCP = true }},
		{"Azure", func(c *fleetsim.Config) { c.Azure = true }},
		{"everything", func(c *fleetsim.Config) { *c = c.Everywhere() }},
		{"everything, and files that end while the fleet lives on", func(c *fleetsim.Config) {
			*c = c.Everywhere()
			c.Seed, c.Days = 5, 4
			c.Until = c.Start.Add(50*time.Hour + 17*time.Minute + 44*time.Second)
			c.BilledUntil = c.Until.Add(-3 * time.Hour)
		}},
		{"everything over a change of month", func(c *fleetsim.Config) {
			*c = c.Everywhere()
			c.Seed, c.Start = 7, c.Start.AddDate(0, 0, -2)
		}},
	}
	if !tier.Full() { // the last one has all of them together
		fleets = slices.DeleteFunc(fleets, func(f fleet) bool { return !strings.HasPrefix(f.name, "everything ") })
	}
	for _, c := range fleets {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cfg := fleetsim.Preset(fleetsim.Small)
			c.change(&cfg)
			w := simulate(t, cfg)
			w.loadFolder()
			w.allocate()
			oracle := truePostings(truth.Of(w.fleet))
			booked := w.postings()
			t.Logf("%d postings in the ledger, %d in the truth", len(booked), len(oracle))
			report(t, differences(booked, oracle))
		})
	}
}

// TestUnbilledFleetsAgreeWithTheTruth: with telemetry alone, in every cloud and in owned racks, usage costs the
// public price, or is unknown if the policy says so.
func TestUnbilledFleetsAgreeWithTheTruth(t *testing.T) {
	t.Parallel()
	cfg := fleetsim.Preset(fleetsim.Small).Everywhere()
	cfg.Seed, cfg.Unbilled = 11, true
	w := simulate(t, cfg)
	w.loadFolder()
	w.allocate()
	oracle := truePostings(truth.Of(w.fleet))
	priced := 0
	for _, f := range oracle {
		if f.values[0] != nil && f.quality == "assumed" {
			priced++
		}
	}
	if priced == 0 {
		t.Fatal("no posting of the truth is priced")
	}
	report(t, differences(w.postings(), oracle))
	w.standsAt(metrics.PricePublic, metrics.PriceTypical)

	cfg.Rules.Unpriced = true
	if w.fleet, _ = fleetsim.New(cfg); w.fleet == nil {
		t.Fatal("the same fleet under another policy is none")
	}
	if _, _, err := w.store.SavePolicy(t.Context(), []byte("version: unknown-1\nsettings: {unpriced: unknown}"),
		"test"); err != nil {
		t.Fatal(err)
	}
	w.allocate()
	report(t, differences(w.postings(), truePostings(truth.Of(w.fleet))))
	w.standsAt(metrics.PriceUnknown)
}

// standsAt fails unless every hour of the fleet has one of these sources of prices, and some have each, according to
// provisional_prices.
func (w *world) standsAt(sources ...string) {
	w.t.Helper()
	of, err := metrics.ReadStanding(w.t.Context(), w.store, metrics.Options{})
	if err != nil {
		w.t.Fatal(err)
	}
	rest := of.All
	for _, s := range sources {
		if of.Unbilled[s].Sign() <= 0 {
			w.t.Errorf("no hour stands at %s: %+v", s, of)
		}
		rest = rest.Sub(of.Unbilled[s])
	}
	if off := money.MustParse("0.000001"); rest.Cmp(off) > 0 || rest.Neg().Cmp(off) > 0 ||
		len(of.Unbilled) != len(sources) {
		w.t.Errorf("%s GPU-hours stand at other prices than %v: %+v", rest, sources, of)
	}
	priced := w.rows(`select p.rate_id from parts p where p.effective_cost is not null
		and p.method not in ('public price', 'typical price')`)
	if len(priced) > 0 {
		w.t.Errorf("%d parts have another price", len(priced))
	}
}

// TestAggregatesKeepEveryCent: as TestEveryBillAgreesWithTheTruth, with lines
// outside the fleet kept as sums of a day.
func TestAggregatesKeepEveryCent(t *testing.T) {
	t.Parallel()
	w := simulate(t, fleetsim.Preset(fleetsim.Small).Everywhere())
	w.aggregate = true
	w.loadFolder()
	w.allocate()
	if n := w.rows("select count(*) from charges where lines > 1"); len(n) != 1 || n[0] == "(0)" {
		t.Errorf("nothing was aggregated: %v", n)
	}
	report(t, differences(byDay(w.postings()), byDay(truePostings(truth.Of(w.fleet)))))
}

// byDay adds up postings outside the fleet by UTC day, currency and team.
func byDay(postings map[postingKey]figures) map[postingKey]figures {
	out := map[postingKey]figures{}
	for k, f := range postings {
		if k.Part == string(ledger.PartNonGPU) && k.Kind == string(ledger.Direct) {
			k = postingKey{Hour: k.Hour / 86400 * 86400, Part: k.Part, File: f.currency + " of " + f.team}
			f.team, f.quality = "", ""
			if old, there := out[k]; there {
				f = f.plus(old)
			}
		}
		out[k] = f
	}
	return out
}
