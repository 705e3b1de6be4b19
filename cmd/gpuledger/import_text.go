package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gpuledger/ingest"
	"gpuledger/internal/money"
	"gpuledger/internal/visible"
	"gpuledger/web/views/format"
)

// importText is the summary as text. Its row counts and its totals add up.
func importText(sum *ingest.Summary) string {
	var b strings.Builder
	counts(&b, sum)
	for _, d := range sum.Deliveries {
		visible.Fprintf(&b, "  delivery %s, partition %s: %s, %d %s\n", d.DeliveryID, d.Partition, d.State, d.Rows,
			format.Noun(d.Rows, "row", "rows"))
	}
	for _, t := range sum.ControlTotals {
		visible.Fprintf(&b, "  account %s, %s: %s %s %s over %d charges\n", t.Account, t.BillingPeriod, t.Metric,
			t.SourceTotal, t.Currency, t.Charges)
	}
	totals(&b, sum.ControlTotals)
	return b.String()
}

// importBrief is the summary of an import of many deliveries: it counts them and their control totals.
func importBrief(sum *ingest.Summary) string {
	var b strings.Builder
	counts(&b, sum)
	if n, of := len(sum.Deliveries), len(sum.ControlTotals); n+of > 0 {
		visible.Fprintf(&b, "  deliveries: %d, control totals: %d. gpuledger report reconciliation lists them\n", n, of)
	}
	totals(&b, sum.ControlTotals)
	return b.String()
}

// counts says how many rows an import read, and what became of them.
func counts(b *strings.Builder, sum *ingest.Summary) {
	visible.Fprintf(b, "%s: %s. %d %s, %d %s read = %d accepted + %d rejected + %d ignored, in %.1f s\n",
		sum.Source, sum.State, sum.Files, format.Noun(sum.Files, "file", "files"), sum.RowsRead,
		format.Noun(sum.RowsRead, "row", "rows"), sum.Accepted, sum.Rejected, sum.Ignored, sum.Seconds)
	if sum.Days != "" {
		visible.Fprintf(b, "  days (UTC): %s\n", sum.Days)
	}
	if sum.Refused > 0 {
		visible.Fprintf(b, "  refused: %d %s (not counted as rows)\n", sum.Refused,
			format.Noun(sum.Refused, "file or delivery", "files or deliveries"))
	}
	for _, reason := range sortedKeys(sum.RejectedByReason) {
		visible.Fprintf(b, "  rejected %d: %s\n", sum.RejectedByReason[reason], reason)
	}
	ignored(b, sum.IgnoredByReason)
	for _, reason := range sortedKeys(sum.NotedByReason) {
		visible.Fprintf(b, "  noted %d: %s\n", sum.NotedByReason[reason], reason)
	}
}

// shownIgnored is how many reasons a summary names.
const shownIgnored = 5

// ignored lists the most frequent reasons for ignored rows, and sums up the others.
func ignored(b *strings.Builder, by map[string]int64) {
	reasons := slices.SortedFunc(maps.Keys(by), func(x, y string) int {
		return cmp.Or(cmp.Compare(by[y], by[x]), strings.Compare(x, y))
	})
	rest := int64(0)
	for i, reason := range reasons {
		if i < shownIgnored {
			visible.Fprintf(b, "  ignored %d: %s\n", by[reason], reason)
			continue
		}
		rest += by[reason]
	}
	if rest > 0 {
		visible.Fprintf(b, "  ignored %d: for %d other reasons\n", rest, len(reasons)-shownIgnored)
	}
}

// totals adds up the control totals of all accounts and months, by metric and currency.
func totals(b *strings.Builder, list []ingest.ControlTotal) {
	type of struct{ metric, currency string }
	sums := map[of]money.Amount{}
	for _, t := range list {
		k := of{string(t.Metric), t.Currency}
		sums[k] = sums[k].Add(t.SourceTotal)
	}
	keys := slices.SortedFunc(maps.Keys(sums), func(x, y of) int {
		return cmp.Or(strings.Compare(x.metric, y.metric), strings.Compare(x.currency, y.currency))
	})
	var words []string
	for _, k := range keys {
		words = append(words, fmt.Sprintf("%s %s %s", k.metric, sums[k], k.currency))
	}
	if len(words) > 0 {
		visible.Fprintf(b, "  total: %s\n", strings.Join(words, ", "))
	}
}

// nextAfter names the command that turns an import into figures.
func nextAfter(sum *ingest.Summary) string {
	switch {
	case sum.State != ingest.ImportPublished:
		return ""
	case sum.Source == ingest.SourceBudgets:
		return "next: `gpuledger report budgets`\n"
	case sum.Source == ingest.SourceAnnotations:
		return "next: `gpuledger report annotations`\n"
	}
	return "next: `gpuledger allocate`, then `gpuledger report costs --group-by team,cause` or `gpuledger serve`\n"
}
