package ingest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gpuledger/ingest/bill"
)

// curLines are n lines of a CUR, each of a separate machine and hour; ids begin with a text,
// and a line lasts the given hours.
func curLines(n int, id string, hours int, cost string) []string {
	var out []string
	for i := range n {
		f := strings.Split(curRow(i, cost), ",")
		from := time.Date(2026, 10, 1+i/20, i%20, 0, 0, 0, time.UTC)
		start, end := from.Format(time.RFC3339), from.Add(time.Duration(hours)*time.Hour).Format(time.RFC3339)
		f[0], f[1], f[6], f[7] = id+strconv.Itoa(i), start+"/"+end, start, end
		out = append(out, strings.Join(f, ","))
	}
	return out
}

// Files of one folder are parts of one delivery however its rows are split, but not if they
// bill the same usage under other ids, or over other times.
func TestOnlyPartsOfOneDeliveryAreMerged(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 15))
	whole := curLines(200, "l", 1, "1.5")
	for range 10 {
		cut := map[string]string{}
		for _, row := range whole {
			name := fmt.Sprintf("part-%d.csv", rng.IntN(5))
			cut[name] += row
		}
		for name, rows := range cut {
			cut[name] = curHeader + rows
		}
		if got := billed(t, cut); got != "200 300" {
			t.Fatalf("cut in %d parts: %s", len(cut), got)
		}
	}
	refused(t, map[string]string{"a.csv": cur(whole...), "b.csv": cur(curLines(120, "other", 1, "2")...)},
		"the same usage twice")
	refused(t, map[string]string{"a.csv": cur(whole...), "b.csv": cur(curLines(120, "other", 20, "2")...)},
		"two time units")
	refused(t, map[string]string{"a.csv": cur(whole[:60]...), "b.csv": cur(whole[60:]...),
		"c.csv": cur(curLines(50, "new", 1, "1.5")...)}, "c.csv")
}

// A value that a file lacks can be given with the request; the bill is then the same as one
// with the value. A value in the file takes precedence.
func TestHintsReplaceMissingValues(t *testing.T) {
	type table struct {
		source, header string
		rows           []string
		currency       int // its column
	}
	for name, b := range map[string]table{
		"aws": {
			SourceAWSCUR, curHeader, []string{curRow(1, "1.5"), curRow(2, "2")},
			slices.Index(strings.Split(curHeader, ","), "line_item_currency_code"),
		},
		"azure": {
			SourceAzureCost, "SubscriptionId,Date,CostInBillingCurrency,BillingCurrencyCode,MeterName,Quantity,MeterCategory,ConsumedService,AdditionalInfo,ChargeType\n", []string{
				"s,2026-10-13,1.5,USD,m,1,Storage,Microsoft.Storage,,Usage\n",
				"s,2026-10-14,2,USD,m,1,Storage,Microsoft.Storage,,Usage\n",
			}, 3,
		},
		"focus": {SourceFOCUS, "BillingAccountId,SubAccountId,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,BilledCost,EffectiveCost,ListCost,ContractedCost,BillingCurrency,ChargeCategory,ProviderName,ServiceName,ServiceCategory,ChargeDescription\n",
			[]string{
				"b,s,2026-10-01T00:00:00Z,2026-11-01T00:00:00Z,2026-10-03T00:00:00Z,2026-10-03T01:00:00Z,1.5,1.5,1.5,1.5,USD,Usage,AWS,x,Compute,d\n",
			}, 10},
	} {
		t.Run(name, func(t *testing.T) {
			change := func(row string, with func(fields []string) []string) string {
				return strings.Join(with(strings.Split(strings.TrimSuffix(row, "\n"), ",")), ",") + "\n"
			}
			text := func(with func(fields []string) []string) map[string]string {
				out := change(b.header, with)
				for _, row := range b.rows {
					out += change(row, with)
				}
				return map[string]string{"b.csv": out}
			}
			without := text(func(f []string) []string { return slices.Delete(f, b.currency, b.currency+1) })
			blank := text(func(f []string) []string {
				if !strings.Contains(strings.ToLower(f[b.currency]), "currency") {
					f[b.currency] = ""
				}
				return f
			})
			m := newMemory()
			whole := mustImport(t, m, Request{
				Source: b.source, URIs: []string{write(t, text(slices.Clone[[]string])) + "/b.csv"}, KeepEverything: true,
			})
			for kind, files := range map[string]map[string]string{"without the column": without, "with empty cells": blank} {
				usd, eur := newMemory(), newMemory()
				s := mustImport(t, usd, Request{
					Source: b.source, URIs: []string{write(t, files) + "/b.csv"},
					KeepEverything: true, Hints: bill.Hints{Currency: "USD"},
				})
				if s.Deliveries[0].DeliveryID != whole.Deliveries[0].DeliveryID {
					t.Errorf("%s: another delivery than the one that says USD", kind)
				}
				s = mustImport(t, eur, Request{
					Source: b.source, URIs: []string{write(t, files) + "/b.csv"},
					KeepEverything: true, Hints: bill.Hints{Currency: "EUR"},
				})
				for _, total := range s.ControlTotals {
					if total.Currency != "EUR" {
						t.Errorf("%s: %+v", kind, total)
					}
				}
				s, err := importer(newMemory()).Import(t.Context(), Request{
					Source: b.source, URIs: []string{write(t, files) + "/b.csv"},
				})
				if s == nil || !strings.Contains(fmt.Sprint(err, s.NotedByReason), "--bill-currency") {
					t.Errorf("%s, nothing said: %v", kind, err)
				}
			}
			s := mustImport(t, m, Request{
				Source: b.source, URIs: []string{write(t, text(slices.Clone[[]string])) + "/b.csv"},
				KeepEverything: true, Hints: bill.Hints{Currency: "EUR"},
			})
			if s.Deliveries[0].State != DeliveryUnchanged {
				t.Errorf("a file that says USD, with EUR beside it: %v", s.Deliveries)
			}
		})
	}
	if _, err := importer(newMemory()).Import(t.Context(), Request{
		Source: SourceAWSCUR, URIs: []string{"x"}, Hints: bill.Hints{Currency: "euros"},
	}); err == nil || !strings.Contains(err.Error(), "euros") {
		t.Errorf("no currency: %v", err)
	}
}

func TestTheRequestCanSetTheOrderOfDates(t *testing.T) {
	rows := func(dates ...string) string {
		out := "SubscriptionId,Date,CostInBillingCurrency,BillingCurrencyCode,MeterName,Quantity,MeterCategory,ConsumedService,AdditionalInfo,ChargeType\n"
		for _, d := range dates {
			out += "s," + d + ",1.5,USD,m,1,Storage,Microsoft.Storage,,Usage\n"
		}
		return out
	}
	for name, c := range map[string]struct {
		text   string
		hint   bill.DateOrder
		months string // of the deliveries
		says   string // the refusal
	}{
		"nothing said":  {text: rows("03/04/2026", "04/05/2026"), says: "--date-order"},
		"the day first": {text: rows("03/04/2026", "04/05/2026"), hint: bill.DayFirst, months: "2026-04 2026-05"},
		"the month first": {
			text: rows("03/04/2026", "04/05/2026"), hint: bill.MonthFirst, months: "2026-03 2026-04",
		},
		"the file knows better": {text: rows("03/04/2026", "03/14/2026"), hint: bill.DayFirst, months: "2026-03"},
		"an order that is none": {text: rows("03/04/2026"), hint: "ymd", says: "ymd"},
		"a header below two titles": {
			text: "Cost analysis\n\n" + strings.Replace(rows("2026-04-03"), "CostInBillingCurrency", "Worth", 1),
			says: "b.csv line 3, column CostInBillingCurrency",
		},
	} {
		s, err := importer(newMemory()).Import(t.Context(), Request{
			Source: SourceAzureCost, URIs: []string{write(t, map[string]string{"b.csv": c.text}) + "/b.csv"},
			Hints: bill.Hints{DateOrder: c.hint},
		})
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		var months []string
		if err == nil {
			for _, d := range s.Deliveries {
				months = append(months, d.Partition)
			}
		}
		if got := strings.Join(months, " "); err != nil || got != c.months {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
}
