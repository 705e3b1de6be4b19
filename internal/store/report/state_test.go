package report_test

import (
	"testing"

	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// Time that the bill of a closed month leaves out holds no money: it opens no sum with a cost again (docs/rules.md 8.14),
// whether days are rolled up or not.
func TestTimeWithoutMoneyLeavesAClosedMonthFinal(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, `update postings set state = 'open', method = 'unbilled, exclusive', effective_cost = null,
		  billed_cost = null, list_cost = null, contracted_cost = null where cause = 'lost'`)
	storetest.Run(t, s.Pool, "update postings set state = 'final' where cause <> 'lost'")
	storetest.Run(t, s.Pool, `delete from usage u where not exists (select from postings p where p.usage_id = u.usage_id)`)
	for _, how := range []string{"from the ledger", "from roll-ups"} {
		if how == "from roll-ups" {
			storetest.RollNovember(t, s)
		}
		for dataset, keys := range map[string][]string{
			"costs": {"", "team", "cluster", "run"}, "chargeback": {""}, "owner_coverage": {""}, "runs": {""}, "attempts": {""},
			"devices": {""}, "slices": {""}, "models": {""},
		} {
			for _, key := range keys {
				for _, r := range storetest.Table(t, s, dataset, metrics.Options{GroupBy: key}) {
					if cost := r["effective_cost"]; cost != "" && cost != "0" && r["state"] != "final" {
						t.Errorf("%s, %s by %q: %s is %s: %v", how, dataset, key, cost, r["state"], r)
					}
				}
			}
		}
		lost := storetest.RowWith(t, storetest.Table(t, s, "costs", metrics.Options{GroupBy: "cause"}), "cause", "lost")
		storetest.Wants(t, lost, map[string]string{"effective_cost": "", "state": "open"})
	}
	for _, subject := range []string{"run/prod/ml/train", "costs?group-by=team"} {
		e, err := s.Explain(t.Context(), subject)
		if err != nil {
			t.Fatal(err)
		}
		if f := e.Figures[0]; f.Effective == nil || f.State != "final" {
			t.Errorf("%s is explained as %+v", subject, f)
		}
	}
}

// Hours that still wait for a bill keep their sum provisional, although they have no cost yet.
func TestHoursWithoutAPriceAreProvisional(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, `update postings set state = 'provisional', method = 'no rate, exclusive',
		  effective_cost = null, billed_cost = null, list_cost = null, contracted_cost = null where cause = 'lost'`)
	storetest.Run(t, s.Pool, "update postings set state = 'final' where cause <> 'lost'")
	rows := storetest.Table(t, s, "costs", metrics.Options{Filter: "currency = USD"})
	storetest.Wants(t, rows[0], map[string]string{"state": "provisional"})
}
