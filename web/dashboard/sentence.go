package dashboard

import (
	"sort"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// overviewSentence says in money what the period was worth.
func overviewSentence(p *pageContext, t *sums) (sentence, sub string) {
	days := format.Days(p.shown())
	who := ""
	if p.scope.Team != "" {
		who = " of " + teamName(p.scope.Team)
	}
	if t.Cost.Sign() <= 0 {
		return "No GPU spend" + who + " in " + days + ".", ""
	}
	used := t.ByCause[ledger.Used]
	unobserved := t.ByCause[ledger.Unobserved]
	if unobserved.Rat().Cmp(half(t.Cost).Rat()) > 0 {
		return "The bill is in. Most of it has no cause yet.",
			"Until telemetry arrives, held time is unobserved: it is not idle and not used. " + format.Share(unobserved, t.Cost) + " of " + days + " is unobserved."
	}
	unit := "of each GPU dollar" + who + " did work"
	share := format.WholeCents(used, t.Cost)
	if p.currency != "USD" {
		unit, share = "of GPU spend"+who+" did work", format.WholePercent(used.Rat(), t.Cost.Rat())
	}
	sentence = share + " " + unit + ", " + days + "."
	return sentence, wasteSentence(p, t)
}

// wasteSentence names the two causes besides used that took most.
func wasteSentence(p *pageContext, t *sums) string {
	type part struct {
		info ledger.CauseInfo
		cost money.Amount
	}
	var parts []part
	for _, info := range ledger.Causes {
		if info.Cause != ledger.Used && t.ByCause[info.Cause].Sign() > 0 {
			parts = append(parts, part{info, t.ByCause[info.Cause]})
		}
	}
	sort.SliceStable(parts, func(i, j int) bool { return parts[i].cost.Cmp(parts[j].cost) > 0 })
	share := func(a money.Amount) string {
		if p.currency == "USD" {
			return format.WholeCents(a, t.Cost)
		}
		return format.WholePercent(a.Rat(), t.Cost.Rat())
	}
	say := func(x part) string { return share(x.cost) + " (" + p.currency.Compact(x.cost) + ")" }
	switch len(parts) {
	case 0:
		return "Every part of it was used."
	case 1:
		return parts[0].info.Label + " took the other " + say(parts[0]) + "."
	}
	return parts[0].info.Label + " took " + say(parts[0]) + ", " + strings.ToLower(parts[1].info.Label) + " " + say(parts[1]) + "."
}

func half(a money.Amount) money.Amount {
	parts := money.MustParse("0.5")
	return a.MulRat(parts.Rat())
}

// firstSentence speaks before any money is in the ledger.
func firstSentence(imports []importRow) (sentence, sub string) {
	for _, i := range imports {
		if isBill(i.Source) && i.State == "published" {
			return "The bill is in. It has not been allocated yet.", "Run gpuledger allocate; each posted cent then has a cause and an owner."
		}
	}
	return "Nothing is in the ledger yet.", "It starts with a bill. Workloads and telemetry then give every dollar a cause."
}

func isBill(source string) bool { return source == "aws-cur" || source == "price-book" }

// firstRun lists what the ledger waits for, from what was imported.
func firstRun(imports []importRow) *views.FirstRun {
	var bill, other *importRow
	for i := range imports {
		if imports[i].State != "published" && imports[i].State != "unchanged" {
			continue
		}
		if isBill(imports[i].Source) {
			bill = &imports[i]
		} else {
			other = &imports[i]
		}
	}
	steps := []views.FirstStep{
		{Number: "1", Name: "Bill", Source: "AWS CUR 2.0, or a price book for owned hardware", Detail: "Nothing received yet", Command: "gpuledger import aws-cur ./cur2"},
		{Number: "2", Name: "Workloads and telemetry", Source: "kube-state-metrics, DCGM exporter", Detail: "Nothing received yet", Command: "gpuledger import openmetrics metrics.txt.gz --cluster prod"},
		{Number: "3", Name: "Interruptions", Source: "EventBridge spot events", Detail: "Optional: tells a preempted attempt from a failed one", Command: "gpuledger import spot-events events.json"},
		{Number: "4", Name: "Allocation", Source: "every cent to one owner and one cause", Detail: "Waits for a bill", Command: "gpuledger allocate"},
	}
	done := 0
	mark := func(i int, row *importRow) {
		if row != nil {
			steps[i].Done, steps[i].Command = true, ""
			steps[i].Detail = format.Plural(int(row.Accepted), "row", "rows") + " accepted"
			done++
		}
	}
	mark(0, bill)
	mark(1, other)
	return &views.FirstRun{Done: format.Count(int64(done)) + " of 4 done", Steps: steps}
}
