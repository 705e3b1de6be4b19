package storetest

import (
	"crypto/sha256"
	"iter"
	"testing"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store"
)

// Amount is a decimal as an amount.
func Amount(text string) *money.Amount {
	a := money.MustParse(text)
	return &a
}

// ChargeOf is an hour of node a's instance.
func ChargeOf(hour period.Second, cost string) ledger.Charge {
	seconds := int64(3600)
	return ledger.Charge{ID: ledger.NewID("charge", hour.String(), cost), InstanceID: "i-a", InstanceSeconds: &seconds,
		Line: int64(hour-Day0)/3600 + 1, SourceFile: "part-1.parquet", Provider: "aws", BillingAccount: "999", Account: "111",
		BillingPeriod: "2026-10", Period: period.Interval{From: hour, To: hour + period.Hour},
		Kind: ledger.LineUsage, Category: ledger.CategoryUsage,
		ServiceName: "EC2", ServiceCode: "AmazonEC2", ResourceID: "i-a",
		UsageType: "BoxUsage:g5.2xlarge", LineItemType: "Usage", Region: "us-east-1", Zone: "us-east-1a",
		InstanceType: "g5.2xlarge", PriceClass: ledger.OnDemand, InstanceHours: true,
		UsageAmount: Amount("1"), UsageUnit: "Hrs", Currency: "USD",
		Costs: ledger.Costs{Effective: Amount(cost), Billed: Amount(cost), List: Amount("1.212")},
		Tags:  map[string]string{"user_team": "ml"}}
}

// Bill is a delivery of the charges with the right totals.
func Bill(delivered period.Second, charges ...ledger.Charge) (ledger.Delivery, []ledger.Charge) {
	h := sha256.New()
	for i := range charges {
		h.Write(charges[i].ID[:])
	}
	d := ledger.Delivery{Source: "aws-cur", Export: "arn:export", Scope: "999", Dataset: "CUR 2.0", Partition: "2026-10",
		Kind: ledger.Snapshot, Rank: 3,
		Rows: int64(len(charges)), Columns: []string{"line_item_unblended_cost"},
		Files: []ledger.DeliveryFile{{Name: "part-1.parquet", Bytes: 10, Rows: int64(len(charges))}}}
	h.Sum(d.Digest[:0])
	if delivered != 0 {
		d.DeliveredAt = &delivered
	}
	d.ID = ledger.NewID("delivery", d.Export, d.Partition, string(d.Digest[:]))
	d.Totals = TotalsOf(charges)
	return d, charges
}

// TotalsOf are the control totals of charges.
func TotalsOf(charges []ledger.Charge) []ledger.ControlTotal {
	type key struct {
		account string
		metric  ledger.Metric
	}
	sums, counts := map[key]money.Amount{}, map[string]int64{}
	for i := range charges {
		counts[charges[i].Account]++
		for _, m := range ledger.Metrics {
			if a := charges[i].Get(m); a != nil {
				k := key{charges[i].Account, m}
				sums[k] = sums[k].Add(*a)
			}
		}
	}
	var list []ledger.ControlTotal
	for k, sum := range sums {
		list = append(list, ledger.ControlTotal{
			Account: k.account, BillingPeriod: "2026-10", Currency: "USD",
			Metric: k.metric, SourceTotal: sum, Charges: counts[k.account],
		})
	}
	return list
}

// PublishBill stages and publishes charges as one delivery.
func PublishBill(
	t testing.TB, s *store.Store, d ledger.Delivery, charges []ledger.Charge,
) (ingest.DeliveryState, error) {
	t.Helper()
	stage, err := s.StageCharges(t.Context(), ledger.NewID("import", "b"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stage.Discard(t.Context()) }()
	if err := stage.Write(t.Context(), 0, charges); err != nil {
		t.Fatal(err)
	}
	out, err := stage.Publish(t.Context(), []ledger.Delivery{d})
	if err != nil {
		return "", err
	}
	return out[0].State, stage.Discard(t.Context())
}

// MustPublish publishes charges and checks the state of the delivery.
func MustPublish(t testing.TB, s *store.Store, d ledger.Delivery, charges []ledger.Charge, want ingest.DeliveryState) {
	t.Helper()
	got, err := PublishBill(t, s, d, charges)
	if err != nil || got != want {
		t.Fatalf("published as %q, %v; want %q", got, err, want)
	}
}

func partOf(c *ledger.Charge, node ledger.ID) ledger.Part {
	seconds := int64(3600)
	return ledger.Part{ID: ledger.NewID("part", c.ID.String(), "0"), ChargeID: c.ID, Kind: ledger.PartCompute,
		NodeID: node, Hour: c.Period.From, Currency: c.Currency,
		Costs: c.Costs, UsageSeconds: &seconds, Method: "resource id",
		Quality: ledger.Measured, BillingAccount: c.BillingAccount}
}

// PartsOf cuts charges into one part each, on a node.
func PartsOf(charges []ledger.Charge, node ledger.ID) []ledger.Part {
	var list []ledger.Part
	for i := range charges {
		list = append(list, partOf(&charges[i], node))
	}
	return list
}

// SeqOf yields parts.
func SeqOf(parts []ledger.Part) iter.Seq2[*ledger.Part, error] {
	return func(yield func(*ledger.Part, error) bool) {
		for i := range parts {
			if !yield(&parts[i], nil) {
				return
			}
		}
	}
}
