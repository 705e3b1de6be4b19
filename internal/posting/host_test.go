package posting_test

import (
	"fmt"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/test/tier"
)

// Two days under the AWS split: verify stays green, no team's GPU-hours move, the cost of every currency is
// unchanged, and part of it is the host's. By request, pods without GPUs pay for the CPU that they request.
func TestTheHostsShareOfAFleet(t *testing.T) {
	t.Parallel()
	tier.OnlyInFull(t, "a fleet more takes minutes")
	w := simulate(t, twoDays(5))
	w.loadAll()
	w.allocate()
	type sums struct{ effective, hours, host, held map[string]money.Amount }
	read := func() sums {
		t.Helper()
		rows, err := w.store.Totals(t.Context(), period.Interval{})
		if err != nil {
			t.Fatal(err)
		}
		s := sums{map[string]money.Amount{}, map[string]money.Amount{}, map[string]money.Amount{}, map[string]money.Amount{}}
		for _, r := range rows {
			s.effective[r.Currency] = s.effective[r.Currency].Add(orZero(r.Effective.Now))
			s.hours[r.Team] = s.hours[r.Team].Add(orZero(r.GPUHours.Now))
			if r.Cause == ledger.Host {
				s.host[r.Currency] = s.host[r.Currency].Add(orZero(r.Effective.Now))
				s.held[r.Team] = s.held[r.Team].Add(orZero(r.Effective.Now))
			}
		}
		return s
	}
	whole := read()
	if len(whole.host) != 0 {
		t.Fatalf("the standard leaves everything with the GPUs: %v", whole.host)
	}
	var byHolders, byRequests sums
	for i, to := range []string{"holders", "requests"} {
		document := fmt.Sprintf("version: split-%s\nvalid_from: 2020-01-0%d\nsettings: {split: aws_split, host_to: %s}\n", to,
			i+1, to)
		if _, _, err := w.store.SavePolicy(t.Context(), []byte(document), "test"); err != nil {
			t.Fatal(err)
		}
		w.allocate()
		w.mustVerify(to)
		now := read()
		for currency, want := range whole.effective {
			got, host := now.effective[currency], now.host[currency]
			if got.Cmp(want) != 0 {
				t.Errorf("%s: %s costs %s, without a split %s", to, currency, got, want)
			}
			if host.Sign() <= 0 || host.Cmp(want) >= 0 {
				t.Errorf("%s: %s of %s is the host's", to, host, want)
			}
		}
		for team, want := range whole.hours {
			if got := now.hours[team]; got.Cmp(want) != 0 {
				t.Errorf("%s: %s holds %s GPU-hours, without a split %s", to, team, got, want)
			}
		}
		if to == "holders" {
			byHolders = now
		} else {
			byRequests = now
		}
	}
	moved := false
	for team, a := range byHolders.held {
		b := byRequests.held[team]
		moved = moved || a.Cmp(b) != 0
	}
	if !moved {
		t.Error("requests of CPU and memory move nothing")
	}
}
