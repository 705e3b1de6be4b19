package part

import (
	"encoding/binary"
	"fmt"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// benchFleet has 500 machines that were up all month.
func benchFleet() *Fleet {
	nodes := make([]ledger.Node, 500)
	for i := range nodes {
		name := fmt.Sprintf("i-%017x", i)
		nodes[i] = ledger.Node{ID: ledger.NodeID("", "", name), InstanceID: name,
			Keys: []string{name, ledger.NodeKey("c", name)}, InstanceType: "p5.48xlarge", GPUs: 8,
			Life: period.Interval{From: t0, To: t0 + 30*period.Day}}
	}
	return NewFleet(nodes, func(string) bool { return true })
}

// benchBill has the given number of lines, of which 5 % belong to the fleet; the others are for other machines, storage
// and requests, in 40 services and 20 accounts.
func benchBill(lines int) []ledger.Charge {
	bill := make([]ledger.Charge, lines)
	hour := int64(3600)
	tags := make([]map[string]string, 300)
	for i := range tags {
		tags[i] = map[string]string{"user_team": fmt.Sprint("team-", i%30), "user_project": fmt.Sprint("p-", i)}
	}
	amount := money.MustParse("0.0123456789")
	words := func(format string, n int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = fmt.Sprintf(format, i)
		}
		return out
	}
	machines, others, services, accounts := words("i-%017x", 500), words("i-f%016x", 5000), words("Service%d", 40),
		words("%012d", 20)
	for i := range bill {
		c := &bill[i]
		binary.BigEndian.PutUint64(c.ID[:], uint64(i))
		from := t0 + period.Second(i%720*3600)
		c.Kind, c.Provider, c.BillingAccount, c.Account, c.BillingPeriod, c.Currency = ledger.LineUsage, "aws", "payer",
			accounts[i%20], "2026-11", "USD"
		c.Period, c.ServiceCode, c.UsageType, c.Tags = period.Interval{From: from, To: from + period.Hour}, services[i%40],
			"Requests-Tier1", tags[i%300]
		c.Costs = ledger.Costs{Billed: &amount, Effective: &amount, List: &amount, Contracted: &amount}
		switch {
		case i%20 == 0:
			c.ResourceID, c.InstanceType, c.InstanceHours, c.InstanceSeconds = machines[i/20%500], "p5.48xlarge", true, &hour
			c.InstanceID, c.UsageType = c.ResourceID, "BoxUsage:p5.48xlarge"
		case i%3 == 0:
			c.ResourceID, c.InstanceType, c.InstanceHours, c.InstanceSeconds = others[i%5000], "m5.large", true, &hour
			c.InstanceID, c.UsageType = c.ResourceID, "BoxUsage:m5.large"
		default:
			c.ResourceID = "arn:aws:s3:::bucket"
		}
	}
	return bill
}

// BenchmarkBill cuts a month of which 95 % is outside the fleet; one operation
// is one line, seen by both passes.
func BenchmarkBill(b *testing.B) {
	f := benchFleet()
	bill := benchBill(200_000)
	b.Run("observe", func(b *testing.B) {
		b.ReportAllocs()
		c := New(f, tagOwner)
		for i := range b.N {
			c.Observe(&bill[i%len(bill)])
		}
	})
	b.Run("cut", func(b *testing.B) {
		c := New(f, tagOwner)
		for i := range bill {
			c.Observe(&bill[i])
		}
		if err := c.finish(); err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		b.ResetTimer()
		for i := range b.N {
			if _, err := c.Cut(&bill[i%len(bill)]); err != nil {
				b.Fatal(err)
			}
		}
	})
}
