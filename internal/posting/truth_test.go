package posting_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/test/truth"
)

func sorted(list []string) []string {
	slices.Sort(list)
	return list
}

// runsAgree compares nodes, runs and attempts with the simulator's.
func runsAgree(t *testing.T, w *world, oracle *truth.Ledger) {
	t.Helper()
	var nodes, runs, tries []string
	for _, n := range oracle.Nodes {
		if n.AppearedAt == 0 { // only on the bill
			nodes = append(nodes, fmt.Sprintf("(%s,,,f,%d,1,%s)", n.Instance, n.GPUs, n.PriceClass))
			continue
		}
		nodes = append(nodes, fmt.Sprintf("(%s,%d,%d,%s,%d,%d,%s)", n.Instance, n.AppearedAt, n.GoneAt, short(n.InSource),
			n.GPUs, n.Replicas, n.PriceClass))
	}
	equal(t, "nodes", nodes, w.rows(`select instance_id, extract(epoch from appeared_at)::bigint,
		extract(epoch from gone_at)::bigint,
		in_source, gpus, replicas, price_class from nodes where gpus > 0`))
	for _, r := range oracle.Runs {
		runs = append(runs, fmt.Sprintf("(%s,%s,%s,%d,%d,%d,%s)", r.ID, r.Kind, r.Status, r.World, r.Attempts, r.Preemptions,
			r.Team))
	}
	equal(t, "runs", runs, w.rows(`select run_id, kind, status, world, attempts, preemptions, o.team
		from runs r join owners o using (tenant_id, owner_id)`))
	for _, a := range oracle.Attempts {
		tries = append(tries, fmt.Sprintf("(%s,%s,%d,%d,%d,%s,%s,%s,%s,%s)", a.RunID, quoted(a.Task), a.Number, a.StartedAt,
			a.EndAt, a.Outcome,
			known(a.LastCheckpoint), a.LossBasis, known(a.LossFrom), known(a.GangComplete)))
	}
	epoch := func(c string) string { return "extract(epoch from " + c + ")::bigint" }
	equal(t, "attempts", tries,
		w.rows(`select run_id, task, attempt, `+epoch("started_at")+`, `+epoch("ended_at")+`, outcome, `+
			epoch("last_checkpoint_at")+`, loss_basis, `+epoch("loss_from")+`, `+epoch("gang_complete_at")+` from attempts`))
}

func short(b bool) string {
	if b {
		return "t"
	}
	return "f"
}

func quoted(s string) string {
	if s == "" {
		return `""`
	}
	return s
}

func known(at int64) string {
	if at == 0 {
		return ""
	}
	return fmt.Sprint(at)
}

func equal(t *testing.T, what string, want, got []string) {
	t.Helper()
	if diff := cmp.Diff(sorted(want), sorted(got)); diff != "" {
		t.Errorf("%s (- truth, + ledger):\n%s", what, diff)
	}
}

// TestEveryChargeIsPostedExactly adds up parts and postings of every charge.
func TestEveryChargeIsPostedExactly(t *testing.T) {
	t.Parallel()
	w := everywhere(t)
	for _, table := range []string{"parts", "postings"} {
		var sums, wrong []string
		for _, m := range []string{"effective_cost", "billed_cost", "list_cost", "contracted_cost"} {
			sums = append(sums, fmt.Sprintf("sum(%[1]s) as %[1]s", m))
			wrong = append(wrong, fmt.Sprintf("p.%[1]s is distinct from c.%[1]s", m))
		}
		found := w.rows(`select c.charge_id, c.line, c.kind, c.effective_cost, p.effective_cost
			from charges c join deliveries d using (tenant_id, delivery_id)
			left join (select tenant_id, charge_id, ` + strings.Join(sums, ", ") + ` from ` + table + ` group by 1, 2) p using (tenant_id, charge_id)
			where d.state = 'current' and c.kind <> 'split' and (` + strings.Join(wrong, " or ") + ")")
		if len(found) > 0 {
			t.Errorf("%d charges are not posted exactly in %s, first %s", len(found), table, found[0])
		}
	}
	total := new(big.Rat)
	for _, row := range w.rows("select sum(effective_cost)::text from charges") {
		if _, ok := total.SetString(strings.Trim(row, "()")); !ok || total.Sign() <= 0 {
			t.Errorf("charges add up to %s", row)
		}
	}
}
