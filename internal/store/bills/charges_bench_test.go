package bills_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store/bills"
	"gpuledger/test/storetest"
)

// syntheticBill makes n charges as a parser would: interned texts, shared tag maps. One line in twenty is a GPU
// instance-hour.
func syntheticBill(n int) []ledger.Charge {
	r := rand.New(rand.NewPCG(5, 6))
	text := func(format string, n int) []string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf(format, i)
		}
		return list
	}
	accounts, usage, zones := text("%012d", 40), text("USE1-Usage:kind-%d", 300), text("us-east-1%c", 1)
	descriptions, resources, machines := text("$0.%d per unit of something that is billed by the hour", 900),
		text("arn:aws:service:us-east-1:123456789012:thing/%08d", 100_000), text("i-%017x", 150)
	tags := make([]map[string]string, 7000)
	for i := range tags {
		tags[i] = map[string]string{"user_team": fmt.Sprint("team-", i%40), "user_project": fmt.Sprint("project-", i%900),
			"user_env":             "prod",
			"aws_eks_cluster_name": fmt.Sprint("cluster-", i%7), "user_owner": fmt.Sprint("owner-", i)}
	}
	seconds := int64(3600)
	list := make([]ledger.Charge, n)
	for i := range list {
		from := storetest.Day0 + period.Second(r.Int64N(720))*period.Hour
		kind := r.IntN(300)
		cost := money.FromUnits(r.Int64N(3_000_000_000_000) / 100 * 100)
		amount := money.FromUnits(r.Int64N(1_000_000_000_000))
		c := ledger.Charge{Line: int64(i), SourceFile: "data/BILLING_PERIOD=2026-10/cur-00001.snappy.parquet",
			Provider: "aws", BillingAccount: "999999999999", Account: accounts[r.IntN(40)],
			BillingPeriod: "2026-10", Period: period.Interval{From: from, To: from + period.Hour},
			Kind: ledger.LineUsage, Category: ledger.CategoryUsage,
			ServiceName: "Some Service", ServiceCode: "AmazonSome", ResourceID: resources[r.IntN(len(resources))],
			Description: descriptions[3*kind+r.IntN(3)], UsageType: usage[kind],
			Operation: "RunSomething", LineItemType: "Usage", Region: "us-east-1",
			Zone: zones[0], UsageAmount: &amount, UsageUnit: "Hrs", Currency: "USD",
			Costs: ledger.Costs{Effective: &cost, Billed: &cost, List: &amount, Contracted: &cost},
			Tags:  tags[r.IntN(len(tags))]}
		if i%20 == 0 {
			c.ResourceID = machines[r.IntN(len(machines))]
			c.InstanceID, c.InstanceHours, c.InstanceSeconds, c.InstanceType, c.PriceClass = c.ResourceID, true, &seconds,
				"p5.48xlarge", ledger.OnDemand
		}
		binary.BigEndian.PutUint64(c.ID[:], r.Uint64())
		list[i] = c
	}
	return list
}

// BenchmarkPublishCharges stages and publishes 2 M ready charges through one connection: checked, indexed, attached.
func BenchmarkPublishCharges(b *testing.B) {
	const lines, batch = 2_000_000, 4000
	pool := syntheticBill(200_000)
	for b.Loop() {
		b.StopTimer()
		s := storetest.New(b)
		totals := benchTotals(pool, lines/len(pool))
		d := ledger.Delivery{ID: ledger.NewID("delivery", "bench"), Source: "aws-cur", Export: "e", Scope: "999",
			Dataset: "CUR 2.0", Partition: "2026-10", Kind: ledger.Snapshot, Rank: 3,
			Rows: lines, Totals: totals}
		runtime.GC()
		b.StartTimer()
		start := time.Now()
		stage, err := s.StageCharges(b.Context(), ledger.NewID("import", "bench"))
		if err != nil {
			b.Fatal(err)
		}
		pid := bills.StagePID(stage)
		before := processTime(pid)
		for pass := range lines / len(pool) {
			for i := 0; i < len(pool); i += batch {
				part := pool[i : i+batch]
				for k := range part {
					binary.BigEndian.PutUint64(part[k].ID[8:], uint64(pass))
				}
				if err := stage.Write(b.Context(), 0, part); err != nil {
					b.Fatal(err)
				}
			}
		}
		wrote := time.Since(start)
		out, err := stage.Publish(b.Context(), []ledger.Delivery{d})
		if err != nil || out[0].State != ingest.DeliveryPublished {
			b.Fatal(out, err)
		}
		b.ReportMetric(lines/time.Since(start).Seconds(), "rows/s")
		b.ReportMetric(wrote.Seconds(), "s-write")
		b.ReportMetric((time.Since(start) - wrote).Seconds(), "s-publish")
		b.ReportMetric(processTime(pid)-before, "s-server-cpu")
	}
}

// processTime is the CPU time of a process in seconds, 0 if /proc does not have it. On a busy machine it is more
// reliable than wall time.
func processTime(pid uint32) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if err != nil || len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) / 100
}

func benchTotals(pool []ledger.Charge, passes int) []ledger.ControlTotal {
	var list []ledger.ControlTotal
	for _, t := range storetest.TotalsOf(pool) {
		sum := money.Amount{}
		for range passes {
			sum = sum.Add(t.SourceTotal)
		}
		t.SourceTotal, t.Charges = sum, t.Charges*int64(passes)
		list = append(list, t)
	}
	return list
}
