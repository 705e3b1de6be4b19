package costs

import (
	"math/big"
	"sort"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views/format"
)

// overviewSentence says which part of the period's spend did work.
func overviewSentence(p *page.Context, t *sums) (sentence, sub string) {
	days := format.Days(p.Shown())
	who := ""
	if p.Scope.Team != "" {
		who = " of " + page.TeamName(p.Scope.Team)
	}
	if t.Cost.Sign() <= 0 {
		return "No GPU spend" + who + ", " + days + ".", ""
	}
	if nothing := p.WithoutData(); nothing != "" {
		return "GPU spend" + who + " is only fees, " + days + ".", nothing
	}
	if t.partlySeen() {
		return seenSentence(t, days+who)
	}
	used := t.ByCause[ledger.Used]
	unobserved := t.ByCause[ledger.Unobserved]
	if unobserved.Rat().Cmp(half(t.Cost).Rat()) > 0 {
		return "The bill is in. Most of it has no cause yet.",
			"Until telemetry arrives, held time counts as unobserved, neither idle nor used. " +
				format.Share(unobserved, t.Cost) + " of " + days + " is unobserved."
	}
	unit := "of each GPU dollar" + who + " did work"
	share := format.WholeCents(used, t.Cost)
	if p.Currency != "USD" {
		unit, share = "of GPU spend"+who+" did work", format.WholePercent(used.Rat(), t.Cost.Rat())
	}
	sentence = share + " " + unit + ", " + days + "."
	return sentence, wasteSentence(p, t)
}

// seenSentence says how much of a partly observed period was observed, and what to connect.
func seenSentence(t *sums, days string) (sentence, sub string) {
	seen := t.Capacity.Sub(t.Unseen)
	return "Only " + format.GPUHours(seen) + " of " + format.GPUHours(t.Capacity) + " GPU-hours were observed (" +
			format.Share(seen, t.Capacity) + "), " + days + ".",
		"The other hours count as neither idle nor used, and recommendations ignore them. " + whatToConnect + " " +
			format.Share(t.ByCause[ledger.Used], t.Cost) + " of the spend is known to have done work."
}

// whatToConnect lists the sources that are missing for unobserved hours.
const whatToConnect = "For every machine, connect GPU metrics (DCGM exporter, nvidia-smi) and workload placement " +
	"(kube-state-metrics, Slurm accounting), see docs/start/your-data.md."

// wasteSentence names the two largest causes other than used.
func wasteSentence(p *page.Context, t *sums) string {
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
		little := a.MulRat(hundred).Cmp(t.Cost) < 0
		switch {
		case p.Currency == "USD" && little:
			return "under 1 ¢"
		case p.Currency == "USD":
			return format.WholeCents(a, t.Cost)
		case little:
			return "under 1 %"
		}
		return format.WholePercent(a.Rat(), t.Cost.Rat())
	}
	say := func(x part) string { return share(x.cost) + " (" + p.Currency.Compact(x.cost) + ")" }
	switch len(parts) {
	case 0:
		return "All of it was used."
	case 1:
		return "The rest: " + strings.ToLower(parts[0].info.Label) + " " + say(parts[0]) + "."
	}
	return "Largest other causes: " + strings.ToLower(parts[0].info.Label) + " " + say(parts[0]) + ", " +
		strings.ToLower(parts[1].info.Label) + " " + say(parts[1]) + "."
}

var hundred = big.NewRat(100, 1)

func half(a money.Amount) money.Amount {
	parts := money.MustParse("0.5")
	return a.MulRat(parts.Rat())
}
