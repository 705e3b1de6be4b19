package figures_test

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// Runs are read from rolled-up days, except days that have changed since, whose prices may have, or that the window
// cuts.
func TestRunsAreReadFromTheirDays(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, "delete from dirty")
	day := storetest.Second("2026-11-02T00")
	if _, _, err := s.RollUpDays(t.Context(), "costs", []period.Second{day}); err != nil {
		t.Fatal(err)
	}
	ledgerSays := storetest.RunRow(t, s, "prod/ml/train")["effective_cost"]
	// makes the two sources distinguishable
	storetest.Run(t, s.Pool, "update star.run_days set effective_cost = effective_cost + 1000 where cause = 'used'")
	daySays := storetest.RunRow(t, s, "prod/ml/train")["effective_cost"]
	if daySays == ledgerSays {
		t.Fatalf("the run costs %s, from the ledger", daySays)
	}
	wants := func(when, want string, o metrics.Options) {
		t.Helper()
		for _, row := range storetest.Table(t, s, "runs", o) {
			if row["run_id"] == "prod/ml/train" && row["effective_cost"] != want {
				t.Errorf("%s the run costs %s; want %s", when, row["effective_cost"], want)
			}
		}
	}
	wants("in the whole day", daySays, metrics.Options{From: "2026-11-02", To: "2026-11-03"})
	wants("in a part of the day", ledgerSays, metrics.Options{From: "2026-11-02T07:00", To: "2026-11-02T23:00"})
	storetest.Run(t, s.Pool, "insert into stale_days (tenant_id, day, what) values (1, $1, 'ledger')", day)
	wants("while the day is stale", ledgerSays, metrics.Options{})
	storetest.Run(t, s.Pool, "delete from stale_days")
	wants("again", daySays, metrics.Options{})
	if err := s.PublishRates(t.Context(), storetest.ID("import", "1"),
		[]ledger.Rate{{ID: storetest.ID("rate", "new"), InstanceType: "p5.48xlarge", Region: "us-east-1",
			PriceClass: ledger.OnDemand, Currency: "USD",
			Hourly: money.MustParse("50"), Valid: period.Interval{From: day, To: pg.EndOfTime},
			Source: "price list"}}); err != nil {
		t.Fatal(err)
	}
	wants("after a new price", ledgerSays, metrics.Options{})
	if _, _, err := s.RollUpDays(t.Context(), "costs", []period.Second{day}); err != nil {
		t.Fatal(err)
	}
	storetest.Run(t, s.Pool, "delete from stale_days")
	storetest.Run(t, s.Pool, "delete from dirty")
	wants("added up again", ledgerSays, metrics.Options{})
	if n := storetest.Count(t, s,
		"select count(*) from (select from star.run_days group by at, run_id, attempt_id, cause, quality, state, "+
			"currency, pricing having count(*) > 1) d"); n != 0 {
		t.Errorf("%d rows of a day are there twice", n)
	}
}

// After any change, the total cost of attempts is the sum of their days and of their parts, and the first runs,
// attempts and lines are the first of all, whatever they are read from.
func TestFirstRowsAfterAnyChange(t *testing.T) {
	s := storetest.SpotLedger(t)
	storetest.RollNovember(t, s)
	random := rand.New(rand.NewPCG(39, 2))
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	day := storetest.Second("2026-11-02T00")
	for round := range 3 {
		storetest.Run(t, s.Pool, `update postings set effective_cost = effective_cost * $1::int, cause = $2, currency = $3
			where run_id is not null and abs(hashtext(posting_id::text)) % 3 = $4`, random.IntN(9)-2, pick("used", "overhead", "held_idle", "lost"), pick("USD", "EUR"), random.IntN(3))
		storetest.Run(t, s.Pool, "insert into stale_days (tenant_id, day, what) values (1, $1, 'ledger')", day)
		var changed [][]map[string]string
		for _, rolled := range []bool{false, true} {
			if rolled {
				if _, _, err := s.RollUpDays(t.Context(), "costs", []period.Second{day}); err != nil {
					t.Fatal(err)
				}
				storetest.Run(t, s.Pool, "delete from stale_days")
				storetest.Run(t, s.Pool, "delete from dirty")
			}
			i := 0
			for _, dataset := range []string{"runs", "attempts", "charges"} {
				for _, order := range []string{"-effective_cost", "gpu_hours", "-lost_cost", "-billed_cost,currency"} {
					if dataset == "charges" {
						order = strings.NewReplacer("gpu_hours", "line", "-lost_cost", "-charge_period_start").Replace(order)
					}
					for _, from := range []string{"", "2026-11-02T10:00"} {
						all := storetest.Table(t, s, dataset, metrics.Options{From: from, Order: order})
						for limit := 1; limit <= len(all); limit++ {
							first := storetest.Table(t, s, dataset, metrics.Options{From: from, Order: order, Limit: strconv.Itoa(limit)})
							if diff := cmp.Diff(all[:limit], first); diff != "" {
								t.Fatalf("round %d: the first %d %s by %s from %q (- of all, + first):\n%s", round, limit, dataset, order, from,
									diff)
							}
						}
						if !rolled {
							changed = append(changed, all)
						} else if diff := cmp.Diff(changed[i], all); diff != "" {
							t.Fatalf("round %d: %s by %s from %q (- ledger, + added up):\n%s", round, dataset, order, from, diff)
						}
						i++
					}
				}
			}
		}
		for _, step := range []string{"days", "months"} {
			const sums = "at, run_id, attempt_id, currency, sum(effective_cost), sum(billed_cost), sum(list_cost), " +
				"sum(contracted_cost), sum(gpu_hours), sum(active_gpu_hours), sum(energy_kwh)"
			of := func(table string) string {
				return "select " + sums + " from star." + table + "_" + step + " group by 1, 2, 3, 4"
			}
			if n := storetest.Count(t, s,
				"select count(*) from (("+of("run")+" except "+of("run_attempt")+") union all ("+of("run_attempt")+" except "+of("run")+")) d"); n != 0 {
				t.Errorf("round %d: %d attempts differ from their %s", round, n, step)
			}
		}
	}
}
