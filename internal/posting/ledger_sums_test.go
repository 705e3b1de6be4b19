package posting_test

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"

	"gpuledger/metrics"
)

// ledgerSums are datasets whose money and time are plain sums of postings p: the columns that identify a row, and the
// matching SQL of its postings.
var ledgerSums = []ledgerSum{
	{dataset: "runs", key: "run_id", by: "p.run_id"},
	{
		dataset: "attempts", key: "run_id,task,attempt", by: "p.run_id, a.task, a.attempt",
		joins: "join attempts a using (tenant_id, attempt_id)",
		costs: map[string]string{
			"restart_overhead_cost": "p.cause = 'overhead' and a.attempt > 1",
			"spot_dead_cost":        "a.reason = 'spot_interruption'",
		},
	},
	{
		dataset: "groups", key: "group_id", by: "r.group_id",
		joins: "join runs r on r.run_id = p.run_id and r.group_id <> '' left join attempts a using (attempt_id)",
		costs: map[string]string{"lost_cost_min": "p.cause = 'lost' and a.loss_basis = 'checkpoint'"},
	},
	{
		dataset: "runs", options: metrics.Options{GroupBy: "group,stage", Filter: "group != ''"},
		key: "group_id,stage", by: "r.group_id, o.stage",
		joins: "join runs r on r.run_id = p.run_id and r.group_id <> '' join owners o on o.owner_id = r.owner_id",
		costs: map[string]string{"completed_cost": "r.status = 'succeeded'"},
	},
}

type ledgerSum struct {
	dataset        string
	options        metrics.Options
	key, by, joins string
	costs          map[string]string // further costs, by a condition on their postings
}

// sumsAgree fails if a figure differs from the ledger's sum, to the last digit.
func sumsAgree(t *testing.T, w *world) {
	t.Helper()
	for _, of := range ledgerSums {
		sums := of.sums()
		ledger := of.ledger(w, sums)
		rows := w.report(of.dataset, of.options)
		if len(ledger) == 0 || len(rows) < len(ledger) {
			t.Errorf("%s by %s: %d rows, and postings of %d", of.dataset, of.key, len(rows), len(ledger))
		}
		for _, r := range rows {
			var key []string
			for name := range strings.SplitSeq(of.key, ",") {
				key = append(key, r[name])
			}
			name := strings.Join(key, "|")
			posted := ledger[name]
			delete(ledger, name)
			for column := range sums {
				want, known := new(big.Rat).SetString(posted[column])
				if !known && (posted != nil || column == "effective_cost" || column == "gpu_hours") {
					want = nil // rows without postings have other costs of 0
				} else if !known {
					want = new(big.Rat)
				}
				exactly(t, of.dataset+" "+name+": "+column, r[column], want, 0)
			}
		}
		for name := range ledger {
			t.Errorf("%s %s has postings and no row", of.dataset, name)
		}
	}
}

// sums are the compared columns with their SQL.
func (of *ledgerSum) sums() map[string]string {
	sums := map[string]string{"gpu_hours": "coalesce(sum(p.gpu_hours), 0)", "effective_cost": "sum(p.effective_cost)"}
	for _, cause := range causesOfRuns {
		sums[cause+"_cost"] = costWhere("p.cause = '" + cause + "'")
	}
	for column, which := range of.costs {
		sums[column] = costWhere(which)
	}
	return sums
}

// ledger adds up the postings: sums by name of the row and column, empty if unknown.
func (of *ledgerSum) ledger(w *world, sums map[string]string) map[string]map[string]string {
	columns := slices.Sorted(maps.Keys(sums))
	texts := []string{of.by}
	for _, c := range columns {
		texts = append(texts, "coalesce(("+sums[c]+")::text, '')")
	}
	out := map[string]map[string]string{}
	for _, row := range w.rows("select concat_ws('|', " + strings.Join(texts, ", ") + ") from postings p " + of.joins +
		" where p.run_id <> '' group by " + of.by) {
		words := strings.Split(strings.Trim(row, `()"`), "|")
		key := len(words) - len(columns)
		sum := map[string]string{}
		for i, c := range columns {
			sum[c] = words[key+i]
		}
		out[strings.Join(words[:key], "|")] = sum
	}
	return out
}

// costWhere is the cost of some postings: 0 if there are none of them, or if others have money (docs/figures.md
// 14.2).
func costWhere(which string) string {
	return fmt.Sprintf(`coalesce(sum(p.effective_cost) filter (where %[1]s),
		case when sum(p.effective_cost) is not null or count(*) filter (where %[1]s) = 0 then 0 end)`, which)
}

// slotsAgree fails if days of slots do not add up to the ledger.
func slotsAgree(t *testing.T, w *world) {
	t.Helper()
	const columns = "sum(capacity_gpu_hours) as capacity, sum(gpu_hours) as held, sum(active_gpu_hours) as active"
	apart := w.rows(`select node_id, slot, d, u, c
		from (select node_id, slot, sum(effective_cost) as cost, ` + columns + ` from star.device_days group by 1, 2) d
		full join (select node_id, slot, ` + columns + ` from usage group by 1, 2) u using (node_id, slot)
		full join (select node_id, slot, sum(effective_cost) as cost from postings where slot >= 0 group by 1, 2) c
			using (node_id, slot)
		where row(d.capacity, d.held, coalesce(d.active, 0), d.cost)
			is distinct from row(u.capacity, u.held, u.active, c.cost)`)
	if len(apart) > 0 {
		t.Errorf("%d slots differ from the ledger: %s", len(apart), apart[0])
	}
	if len(w.rows("select distinct node_id, slot from star.device_days")) == 0 {
		t.Error("no slots")
	}
}
