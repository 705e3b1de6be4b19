package figures_test

import (
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// Runs are read from the days that were added up, but those that have changed
// since, whose prices may have, or that the window cuts.
func TestRunsAreReadFromTheirDays(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, "delete from dirty")
	day := storetest.Second("2026-11-02T00")
	if _, _, err := s.RollUpDays(t.Context(), "costs", []period.Second{day}); err != nil {
		t.Fatal(err)
	}
	ledgerSays := storetest.RunRow(t, s, "prod/ml/train")["effective_cost"]
	storetest.Run(t, s.Pool, "update star.run_days set effective_cost = effective_cost + 1000 where cause = 'used'") // to tell the two apart
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
	if err := s.PublishRates(t.Context(), storetest.ID("import", "1"), []ledger.Rate{{ID: storetest.ID("rate", "new"), InstanceType: "p5.48xlarge", Region: "us-east-1", PriceClass: ledger.OnDemand, Currency: "USD",
		Hourly: money.MustParse("50"), Valid: period.Interval{From: day, To: pg.EndOfTime}, Source: "price list"}}); err != nil {
		t.Fatal(err)
	}
	wants("after a new price", ledgerSays, metrics.Options{})
	if _, _, err := s.RollUpDays(t.Context(), "costs", []period.Second{day}); err != nil {
		t.Fatal(err)
	}
	storetest.Run(t, s.Pool, "delete from stale_days")
	storetest.Run(t, s.Pool, "delete from dirty")
	wants("added up again", ledgerSays, metrics.Options{})
	if n := storetest.Count(t, s, "select count(*) from (select from star.run_days group by at, run_id, attempt_id, cause, quality, state, currency, pricing having count(*) > 1) d"); n != 0 {
		t.Errorf("%d rows of a day are there twice", n)
	}
}
