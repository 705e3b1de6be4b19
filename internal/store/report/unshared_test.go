package report_test

import (
	"strings"
	"testing"

	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// A report after sharing notes if nothing is shared, and why.
func TestAfterSharingNotesThatNothingIsShared(t *testing.T) {
	s := storetest.SmallLedger(t)
	notes := func(dataset string, o metrics.Options) string {
		t.Helper()
		q, err := metrics.Parse(dataset, o)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := s.Query(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		return strings.Join(metrics.NotesOf(rows), "\n")
	}
	after := metrics.Options{Sharing: "after"}
	if got := notes("costs", after); !strings.Contains(got, "no policy says") ||
		!strings.Contains(got, "gpuledger policy apply") {
		t.Errorf("without a policy: %q", got)
	}
	if got := notes("costs", metrics.Options{}); got != "" {
		t.Errorf("before sharing: %q", got)
	}
	storetest.Run(t, s.Pool, `insert into policy_versions (tenant_id, version, valid_from, document, margin_seconds,
		  created_at, created_by)
		values (1, 'p', '-infinity', E'version: p\nredistribute:\n- {method: held}\n', 0, now(), 'ada')`)
	if got := notes("chargeback", metrics.Options{}); !strings.Contains(got, "run `gpuledger allocate`") {
		t.Errorf("before the allocation: %q", got)
	}
	storetest.Run(t, s.Pool, `select ensure_month('shares', '2026-11-01')`)
	storetest.Run(t, s.Pool, `insert into shares (tenant_id, share_id, hour, pool_id, kind, cluster, cause, owner_id,
		  billing_account, currency, state,
			policy_version, method, rule, weight, weight_of)
		values (1, gen_random_uuid(), '2026-11-02', gen_random_uuid(), 'shared_out', 'a', 'free', gen_random_uuid(), 'a',
		    'USD', 'open', 'p', 'held', 1, 1, 1)`)
	if got := notes("costs", after); got != "" {
		t.Errorf("when something is shared: %q", got)
	}
}
