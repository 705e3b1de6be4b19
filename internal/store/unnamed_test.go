package store_test

import (
	"cmp"
	"testing"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/test/storetest"
)

// A delivery that does not name its export counts as one of the export it belongs to: the same rows are the same
// delivery, other rows need an order, and two named exports stay separate.
func TestUnnamedDeliveriesJoinTheirExport(t *testing.T) {
	const unnamed = "aws 999 CUR 2.0"
	type step struct {
		export  string
		cost    string // the rows, by their cost
		at      int
		account string // other than the first
		want    ingest.DeliveryState
		reason  string // of a refusal
	}
	for name, steps := range map[string][]step{
		"the same with a manifest and without": {
			{export: "arn:a", cost: "1", want: "published"}, {export: unnamed, cost: "1", want: "unchanged"},
			{export: "arn:a", cost: "1", want: "unchanged"},
		},
		"the same without a manifest and with": {
			{export: unnamed, cost: "1", want: "published"}, {export: "arn:a", cost: "1", want: "unchanged"},
			{export: unnamed, cost: "1", want: "unchanged"},
		},
		"a newer one with a name": {
			{export: unnamed, cost: "1", at: 5, want: "published"},
			{export: "arn:a", cost: "2", at: 9, want: "published"}, {export: unnamed, cost: "1", at: 7, want: "older"},
		},
		"a newer one without a name": {
			{export: "arn:a", cost: "1", at: 5, want: "published"},
			{export: unnamed, cost: "2", at: 9, want: "published"}, {export: "arn:a", cost: "2", want: "unchanged"},
		},
		"other rows and no order": {
			{export: "arn:a", cost: "1", at: 5, want: "published"}, {export: unnamed, cost: "2", reason: "no order"},
		},
		"two exports stay two": {
			{export: "arn:a", cost: "1", want: "published"}, {export: "arn:b", cost: "2", reason: "equal rank"},
		},
		"another account of the bill": {
			{export: "arn:a", cost: "1", want: "published"}, {export: unnamed, cost: "2", account: "other", want: "published"},
		},
		"two names, and which of them is known": {
			{export: "arn:a", cost: "1", want: "published"}, {export: "arn:b", cost: "1", at: -1, want: "published"},
			{export: unnamed, cost: "1", want: "unchanged"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := storetest.New(t)
			for i, step := range steps {
				charge := storetest.ChargeOf(storetest.At(0, 1), step.cost)
				charge.Account = cmp.Or(step.account, charge.Account)
				d, charges := storetest.Bill(0, charge)
				if step.at > 0 {
					when := storetest.At(0, float64(step.at))
					d.DeliveredAt = &when
				}
				if step.at < 0 { // another export with a lower rank
					d.Rank--
				}
				d.Export, d.Unnamed = step.export, unnamed
				d.ID = ledger.NewID("delivery", d.Export, string(d.Digest[:]), step.cost)
				d.Digest = [32]byte{step.cost[0]}
				got, err := storetest.PublishAll(t, s, d, charges)
				if bad, _ := ingest.DeliveryErrors(err); step.reason != "" {
					if len(bad) != 1 || bad[0].Reason != step.reason {
						t.Errorf("step %d: %v, want %s", i, err, step.reason)
					}
					continue
				}
				if err != nil || got.State != step.want {
					t.Fatalf("step %d: %q %v, want %q", i, got.State, err, step.want)
				}
			}
			if n := storetest.One[int](t, s,
				"select max(n)::int from (select count(*) as n from control_totals t join deliveries d using (tenant_id, "+
					"delivery_id) "+
					"where tenant_id = 1 and d.state = 'current' and d.rank = 3 group by t.account, t.metric) x"); n != 1 {
				t.Errorf("%d deliveries count", n)
			}
		})
	}
}
