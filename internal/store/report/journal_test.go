package report_test

import (
	"testing"

	"gpuledger/internal/money"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// Cost centres are charged what the bills of the month say, in each currency.
func TestJournalChargesTheBilledCostOfTheMonth(t *testing.T) {
	s := twoCurrencies(t)
	of := func(row map[string]string, column string) money.Amount {
		if row[column] == "" {
			return money.Amount{}
		}
		return money.MustParse(row[column])
	}
	billed, charged, owed := map[string]money.Amount{}, map[string]money.Amount{}, map[string]money.Amount{}
	for _, r := range storetest.Table(t, s, "costs", metrics.Options{BillingPeriod: "2026-11"}) {
		if c := of(r, "billed_cost"); c.Sign() != 0 {
			billed[r["currency"]] = c
		}
	}
	for _, r := range storetest.Table(t, s, "journal", metrics.Options{BillingPeriod: "2026-11"}) {
		net := of(r, "debit").Sub(of(r, "credit"))
		if r["cost_center"] == "" {
			owed[r["currency"]] = owed[r["currency"]].Sub(net)
			continue
		}
		charged[r["currency"]] = charged[r["currency"]].Add(net)
	}
	if len(billed) < 2 || len(charged) != len(billed) {
		t.Fatalf("billed in %v, charged in %v", billed, charged)
	}
	for currency, want := range billed {
		if charged[currency].Cmp(want) != 0 || owed[currency].Cmp(want) != 0 {
			t.Errorf("%s: billed %s, charged %s, owed %s", currency, want, charged[currency], owed[currency])
		}
	}
}
