package posting_test

import (
	"fmt"
	"slices"
	"testing"

	"gpuledger/allocation/policy"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/metrics"
)

// A trial of a version gives the ledger as it is once the version is in force; until then nothing changes.
func TestATrialForetellsTheLedger(t *testing.T) {
	t.Parallel()
	w := simulate(t, twoDays(5))
	w.loadAll()
	w.allocate()
	before := w.ledgerText()
	trial := func(document string) *metrics.Trial {
		t.Helper()
		v, err := policy.Parse([]byte(document))
		if err != nil {
			t.Fatal(err)
		}
		r, err := posting.Trial(t.Context(), w.store, v, period.Interval{})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}

	same := trial("version: same\n")
	for _, r := range same.Rows {
		if r.Moved() {
			t.Errorf("the standard under another name moves %s: %+v", name(r), r)
		}
	}
	if same.Days == 0 || same.Waiting != 0 {
		t.Errorf("%d days, %d waiting", same.Days, same.Waiting)
	}

	const strict = "version: strict\nsettings: {idle: {threshold: 60%, minutes: 5}, overhead_limit: 5m}\nowners: " +
		"[{set: {team: finance}}]\n"
	then := trial(strict)
	sums := map[string][2]money.Amount{}
	changed := 0
	for _, r := range then.Rows {
		s := sums[r.Currency]
		s[0], s[1] = s[0].Add(orZero(r.Effective.Now)), s[1].Add(orZero(r.Effective.Then))
		sums[r.Currency] = s
		if r.Moved() {
			changed++
		}
	}
	for currency, s := range sums {
		if s[0].Cmp(s[1]) != 0 {
			t.Errorf("%s: %s become %s: a policy moves cost, it neither makes nor loses any", currency, s[0], s[1])
		}
	}
	if changed == 0 {
		t.Error("a stricter idea of idle moves nothing")
	}
	if after := w.ledgerText(); !slices.Equal(before, after) {
		t.Fatal("a trial has written to the ledger")
	}

	if _, _, err := w.store.SavePolicy(t.Context(), []byte(strict), "test"); err != nil {
		t.Fatal(err)
	}
	w.allocate()
	now, err := w.store.Totals(t.Context(), period.Interval{})
	if err != nil {
		t.Fatal(err)
	}
	want, got := map[string]string{}, map[string]string{}
	for _, r := range then.Rows {
		if r.Effective.Then != nil || r.Billed.Then != nil {
			want[name(r)] = fmt.Sprint(orZero(r.Effective.Then), orZero(r.Billed.Then), orZero(r.GPUHours.Then))
		}
	}
	for _, r := range now {
		if r.Effective.Now != nil || r.Billed.Now != nil {
			got[name(r)] = fmt.Sprint(orZero(r.Effective.Now), orZero(r.Billed.Now), orZero(r.GPUHours.Now))
		}
	}
	for k, v := range want {
		if got[k] != v {
			t.Errorf("%s: the trial said %s, the ledger says %s", k, v, got[k])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d rows, the trial had %d", len(got), len(want))
	}
}

func name(r metrics.TrialRow) string { return r.Currency + " " + r.Team + " " + string(r.Cause) }

func orZero(a *money.Amount) money.Amount {
	if a == nil {
		return money.Amount{}
	}
	return *a
}
