package posting

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gpuledger/allocation/part"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

func emptyScene() *scene {
	return &scene{billedFrom: map[string]period.Second{}, fleets: map[period.Second]*part.Fleet{}}
}

// cutNow returns the deliveries as they are after a cut.
func cutNow(t *testing.T, s *scene, list []BookDelivery, usesOthers ...int) []BookDelivery {
	t.Helper()
	out := slices.Clone(list)
	for i, d := range link(list) {
		c := part.New(s.fleetOf(d.BookDelivery), func(*ledger.Node, map[string]string) ledger.ID { return ledger.ID{} })
		if slices.Contains(usesOthers, i) {
			c.Observe(&ledger.Charge{Kind: ledger.LineInvoice})
		}
		digest, err := c.Digest(ledger.ID{}, d.others)
		if err != nil {
			t.Fatal(err)
		}
		out[i].FleetDigest = digest
	}
	return out
}

// plan lists the deliveries that are cut, and those that are read for it.
func plan(list []bill) string {
	var out []string
	for _, b := range list {
		var cut, read strings.Builder
		for _, d := range b.stale {
			fmt.Fprintf(&cut, " %d", d.ID[0])
		}
		for _, d := range b.read {
			fmt.Fprintf(&read, " %d", d.ID[0])
		}
		out = append(out, fmt.Sprintf("cut%s of%s", &cut, &read))
	}
	return strings.Join(out, "; ")
}

func TestDeliveriesOfOneBillAreReadTogether(t *testing.T) {
	key := func(account string, month period.Month, currency string) BookKey {
		return BookKey{account, month, currency}
	}
	aws := func(id byte, month period.Month) BookDelivery {
		return BookDelivery{
			ID: ledger.ID{id}, BillingPeriod: month, Scope: "payer",
			Keys: []BookKey{key("a", month, "USD"), key("b", month, "USD")},
		}
	}
	google := func(id byte, day string, keys ...BookKey) BookDelivery {
		return BookDelivery{ID: ledger.ID{id}, BillingPeriod: period.Month(day), Scope: "billing", Keys: keys}
	}
	azure := func(id byte, scope string) BookDelivery {
		return BookDelivery{
			ID: ledger.ID{id}, BillingPeriod: "2026-11", Scope: scope, Keys: []BookKey{key("sub", "2026-11", "EUR")},
		}
	}
	list := []BookDelivery{
		aws(1, "2026-10"), aws(2, "2026-11"),
		google(3, "2026-10-31", key("p", "2026-10", "USD")),
		google(4, "2026-11-01", key("p", "2026-10", "USD"), key("p", "2026-11", "USD")),
		google(5, "2026-11-02", key("q", "2026-11", "USD")), google(6, "2026-11-03", key("p", "2026-11", "USD")),
		azure(7, "actual"), azure(8, "amortised"),
		{ID: ledger.ID{9}, BillingPeriod: "2026-11"}, // without keys
	}
	s := emptyScene()
	if got, want := plan(bills(list, s)),
		"cut 1 of 1; cut 2 of 2; cut 3 of 3 4; cut 4 5 6 of 3 4 5 6; cut 7 8 of 7 8; cut 9 of 9"; got != want {
		t.Errorf("all of it: %s\nwant %s", got, want)
	}
	done := cutNow(t, s, list, 3, 5)
	if got := plan(bills(done, s)); got != "" {
		t.Errorf("nothing is stale: %s", got)
	}
	// One more day: deliveries that depend on others of its months are stale again.
	more := append(slices.Clone(done), google(10, "2026-11-04", key("q", "2026-11", "USD")))
	if got, want := plan(bills(more, s)), "cut 4 6 10 of 3 4 5 6 10"; got != want {
		t.Errorf("one more day: %s\nwant %s", got, want)
	}
	for _, b := range bills(more, s) {
		if !b.months["2026-10"] || !b.months["2026-11"] || len(b.months) != 2 {
			t.Errorf("months %v", b.months)
		}
	}
}

func TestWhichMachinesMatterToADelivery(t *testing.T) {
	end := func(m period.Month) period.Second {
		i, err := m.Interval()
		if err != nil {
			t.Fatal(err)
		}
		return i.To + period.Day
	}
	for _, c := range []struct {
		d    BookDelivery
		want period.Second
	}{
		{BookDelivery{BillingPeriod: "2026-11"}, end("2026-11")},
		{
			BookDelivery{BillingPeriod: "2026-11-03", Keys: []BookKey{{"a", "2026-10", "USD"}, {"a", "2026-11", "USD"}}},
			end("2026-11"),
		},
		{BookDelivery{BillingPeriod: "2026-11-03"}, 1<<63 - 1},
	} {
		if got := untilOf(c.d); got != c.want {
			t.Errorf("%+v: %s, want %s", c.d, got, c.want)
		}
	}
}
