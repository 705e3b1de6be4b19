package report_test

import (
	"strings"
	"testing"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/money"
	storeaccess "gpuledger/internal/store/access"
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

// A scoped user's journal balances like the whole one, and says that it is not the whole month.
func TestAScopedJournalSaysThatItIsAPart(t *testing.T) {
	s := storetest.SmallLedger(t)
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	notes := func(conditions ...string) []string {
		t.Helper()
		_, token, err := s.Access.CreateToken(t.Context(), storeaccess.Grant{Name: "reader" + strings.Join(conditions, ""),
			Role: access.RoleAuditor, Conditions: conditions, By: "ada", At: at}, 0)
		if err != nil {
			t.Fatal(err)
		}
		viewer, err := s.Access.Token(t.Context(), token, at)
		if err != nil {
			t.Fatal(err)
		}
		q, err := metrics.Parse("journal", metrics.Options{})
		if err != nil {
			t.Fatal(err)
		}
		rows, err := s.Query(access.As(t.Context(), viewer), q)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		if !rows.Next() {
			t.Errorf("%q sees no entry", conditions)
		}
		return metrics.NotesOf(rows)
	}
	if got := notes("team = 'research'"); len(got) != 1 || !strings.Contains(got[0], "not the whole month") {
		t.Errorf("in a scope: %q", got)
	}
	if got := notes(); len(got) != 0 {
		t.Errorf("without a scope: %q", got)
	}
}
