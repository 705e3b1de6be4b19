package report

import (
	"context"
	"slices"
	"strings"

	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// Behind is the statement that reads the facts behind a report's figure, row by row, with the same joins and filter.
// Its columns are named x_….
func Behind(q metrics.Query, columns, tail string) (string, []any) {
	c := Asking(q, nil)
	var need [joinCount]bool
	need[joinNode], need[joinOwner] = true, true
	cols := []string{"p.id as x_id", "p.hour as x_hour", "p.currency as x_currency", "p.effective_cost as x_effective",
		"p.billed_cost as x_billed",
		"p.list_cost as x_list", "p.contracted_cost as x_contracted", "p.state as x_state",
		"p.quality as x_quality", "p.cause as x_cause", "p.kind as x_kind",
		"p.part_id as x_part", "p.charge_id as x_charge", "nullif(p.run_id, '') as x_run",
		"n.name as x_node", "o.team as x_team", "p.unbilled as x_unbilled"}
	var named []string
	for _, name := range metrics.FilterKeys(q.Filter) {
		k, ok := metrics.LookupKey(name)
		if !ok || slices.Contains(named, k.Name) {
			continue
		}
		named = append(named, k.Name)
		kc := c.keySQL(k)
		for _, j := range kc.joins {
			need[j] = true
		}
		cols = append(cols, kc.expr+" as "+ident(k.Name))
	}
	const shown = "id, hour, part_id, charge_id, rate_id, usage_id, billing_period, cause, quality, state, currency, " +
		"owner_id, node_id, device, slice_id, mig_profile, " +
		"workload_id, run_id, attempt_id, kind, pair_cluster, pair_account, effective_cost, billed_cost, list_cost, " +
		"contracted_cost"
	facts := "select " + shown + ", false as unbilled from (" + c.Expand(pg.Statement("report.behind")) + ") v"
	if q.Sharing == metrics.AfterSharing {
		facts += "\nunion all\nselect " + shown + ", false from (" + c.Expand(pg.Statement("report.behind_shared")) + ") v"
	}
	facts += "\nunion all\nselect " +
		strings.Replace(shown, "id, hour, part_id, charge_id,", "usage_id, hour, part_id, null::uuid,", 1) + ", true from (" +
		c.Expand(pg.Statement("report.facts_uncovered")) + ") v"
	text := "select " + strings.Join(cols, ", ") + "\nfrom (" + facts + ") p" + c.joins(need)
	if q.BillingPeriod != "" {
		text += c.Expand("\nwhere p.billing_period = @billing_period")
	}
	text = "select " + columns + "\nfrom (" + text + ") f\nwhere true"
	if q.Filter != nil {
		text += " and " + c.filter("f", q.Filter, false)
	}
	return text + tail, c.Args
}

// SpotSums is the statement that adds up the postings that a query to dataset spot_postings selects, by day, machine
// type and currency.
func SpotSums(ctx context.Context, q metrics.Query) (string, []any) {
	text, args := compile(ctx, q, nil)
	return `select date_trunc('day', s.hour, 'UTC') as day, s.instance_type, s.currency, count(*) as count,
  coalesce(sum(s.effective_cost), 0) as effective, coalesce(sum(s.on_demand_equivalent), 0) as on_demand,
  coalesce(sum(s.gross_savings), 0) as gross, coalesce(sum(s.lost_cost), 0) as lost,
  coalesce(sum(s.gross_savings), 0) - coalesce(sum(s.lost_cost), 0) as net,
  coalesce(sum(s.effective_cost) filter (where s.on_demand_equivalent is null), 0) as unknown,
  count(s.on_demand_equivalent) as known
from (` + text + `) s
group by 1, 2, 3
order by 1, 2, 3`, args
}
