package periods_test

import (
	"strings"
	"testing"
	"time"

	"gpuledger/internal/closing"
	"gpuledger/metrics"
	"gpuledger/metrics/statement"
	"gpuledger/test/storetest"
)

// TestClosedStatementOfAnOwnerNeverChanges closes a month with shared cost, and lets a correction and a budget come
// late.
func TestClosedStatementOfAnOwnerNeverChanges(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, "select ensure_month('shares', '2026-11-01')")
	for kind, cost := range map[string]string{"shared_in": "2.5", "shared_out": "-2.5"} {
		owner := storetest.ID("owner", map[string]string{"shared_in": "research", "shared_out": "none"}[kind])
		storetest.Run(t, s.Pool, `insert into shares (tenant_id, share_id, hour, pool_id, kind, cluster, cause, owner_id,
			  billing_account, billing_period, currency, state, policy_version, method, rule, weight,
			  weight_of, effective_cost)
			values (1, gen_random_uuid(), '2026-11-02', gen_random_uuid(), $1, 'prod', 'free', $2, '111', '2026-11', 'USD',
			  'open', 'p', 'held', 1, 1, 1, $3::numeric)`, kind, owner, cost)
	}
	for _, table := range []string{"parts", "postings"} {
		storetest.Run(t, s.Pool, "update "+table+" set billing_account = '111' where billing_period is not null")
	}
	ctx := t.Context()
	written := func(owner, month, sharing string) (*statement.Statement, string) {
		t.Helper()
		q, err := statement.Parse(owner, month, sharing)
		if err != nil {
			t.Fatal(err)
		}
		one, err := statement.Build(ctx, s, q)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := one.WriteJSON(&text); err != nil {
			t.Fatal(err)
		}
		return one, text.String()
	}
	for _, owner := range []string{"research", "unowned"} {
		for _, sharing := range []string{"before", "after"} {
			one, _ := written("team="+owner, "2026-11", sharing)
			rows := storetest.Table(t, s, "costs", metrics.Options{BillingPeriod: "2026-11", Sharing: sharing,
				Filter: "team = '" + owner + "'"})
			if len(one.Statements) != 1 || one.State != statement.Open ||
				one.Statements[0].Total.String() != rows[0]["effective_cost"] {
				t.Errorf("%s %s sharing: %+v, costs says %s", owner, sharing, one.Statements, rows[0]["effective_cost"])
			}
		}
	}
	if one, _ := written("project=unowned", "2026-11", ""); one.Statements[0].Total.String() != "34" {
		t.Errorf("cost without a project: %+v", one.Statements)
	}

	at := time.Date(2026, 12, 6, 9, 0, 0, 0, time.UTC)
	if err := s.Books(t.Context(), func(b closing.Books) error {
		_, err := b.Close(t.Context(), "111", "2026-11", "ada", at)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	one, before := written("team=research", "2026-11", "")
	if one.State != statement.Closed || !one.Accounts[0].ClosedAt.Equal(at) {
		t.Fatalf("%s", before)
	}
	ctx = storetest.InPart(t, s, "team = 'research'")
	if _, lead := written("team=research", "2026-11", ""); lead != before {
		t.Errorf("the lead of the team reads\n%s", lead)
	}
	q, _ := statement.Parse("team=unowned", "2026-11", "")
	if _, err := statement.Build(ctx, s, q); err == nil {
		t.Error("the lead of a team reads the statement of another")
	}
	ctx = storetest.InPart(t, s, "cluster = 'prod'")
	if part, text := written("team=research", "2026-11", ""); len(part.Covers) != 1 || part.Covers[0] != "cluster prod" {
		t.Errorf("a reader of one cluster is not told so:\n%s", text)
	}
	ctx = t.Context()
	storetest.Run(t, s.Pool, `insert into postings (tenant_id, posting_id, hour, part_id, charge_id, part, billing_period,
		  billing_account, cause, kind, owner_id, method, quality, policy_version, currency, state, effective_cost, slot,
		  generation)
		values (1, $1, '2026-11-02T10:00:00Z', $2, $3, 0, '2026-12', '111', 'used', 'adjustment', $4, 'resource id',
		  'measured', 'default-1', 'USD', 'open', -4, -1, 2)`,
		storetest.ID("posting", "late"), storetest.ID("part", "late"), storetest.ID("charge", "late"),
		storetest.ID("owner", "research"))
	if _, after := written("team=research", "2026-11", ""); after != before {
		t.Errorf("the closed statement was\n%s\nand is\n%s", before, after)
	}
	one, text := written("team=research", "2026-12", "")
	if c := one.Statements[0]; c.Adjustments.String() != "-4" || c.Total.String() != "-4" ||
		!strings.Contains(text, `"service_month": "2026-11"`) {
		t.Errorf("the statement that carries the correction:\n%s", text)
	}
}
