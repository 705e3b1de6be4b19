package periods_test

import (
	"strings"
	"testing"
	"time"

	"gpuledger/internal/closing"
	"gpuledger/internal/money"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// TestDatasetsOfClosing closes a month directly, without checks, and reads the datasets of the pages.
func TestDatasetsOfClosing(t *testing.T) {
	s := storetest.SmallLedger(t)
	for _, table := range []string{"parts", "postings"} {
		storetest.Run(t, s.Pool, "update "+table+" set billing_account = '111' where billing_period is not null")
	}
	before := storetest.Table(t, s, "periods", metrics.Options{})
	if len(before) == 0 {
		t.Fatal("no period")
	}
	open := before[0]
	storetest.Wants(t, open, map[string]string{
		"state": "open", "version": "", "digest": "", "closed_at": "", "adjustments_effective_cost": "",
	})
	account, month := open["billing_account"], open["billing_period"]
	var written *closing.Statement
	at := time.Date(2026, 12, 6, 9, 0, 0, 0, time.UTC)
	err := s.Books(t.Context(), func(b closing.Books) (err error) {
		if written, err = b.Close(t.Context(), account, "2026-11", "ada", at); err != nil {
			return err
		}
		return b.Audit(t.Context(), at, "ada", "close", account+"/"+month, "{}")
	})
	if err != nil {
		t.Fatal(err)
	}
	rows := storetest.Table(t, s, "periods", metrics.Options{
		BillingPeriod: month, Filter: "billing_account = '" + account + "'",
	})
	storetest.Wants(t, rows[0], map[string]string{
		"state": "closed", "version": "1", "closed_by": "ada", "closed_at": "2026-12-06T09:00:00Z",
		"effective_cost": open["effective_cost"], "reopened_at": "",
	})
	if len(rows[0]["digest"]) != 64 {
		t.Errorf("digest %q", rows[0]["digest"])
	}
	rows = storetest.Table(t, s, "statements", metrics.Options{})
	if len(rows) != 1 {
		t.Fatalf("%d statements", len(rows))
	}
	storetest.Wants(t, rows[0], map[string]string{
		"state": "final", "number": "1", "open_period": "2026-12", "reopen_reason": "",
	})
	rows = storetest.Table(t, s, "statement_lines", metrics.Options{BillingPeriod: month, Filter: "version = 1"})
	if int64(len(rows)) != written.Lines || len(rows) == 0 {
		t.Fatalf("%d lines of %d", len(rows), written.Lines)
	}
	var sum money.Amount
	for _, r := range rows {
		if r["team"] == "" || r["kind"] == "" || r["day"] == "" {
			t.Errorf("a line without team, kind or day: %v", r)
		}
		if r["effective_cost"] != "" && r["currency"] == open["currency"] {
			sum = sum.Add(money.MustParse(r["effective_cost"]))
		}
	}
	if sum.String() != open["effective_cost"] {
		t.Errorf("the lines add up to %s, the period said %s", sum, open["effective_cost"])
	}
	if rows := storetest.Table(t, s, "statement_lines", metrics.Options{To: "2026-10-01"}); len(rows) != 0 {
		t.Errorf("%d lines before the period", len(rows))
	}
	rows = storetest.Table(t, s, "audit", metrics.Options{})
	storetest.Wants(t, rows[0], map[string]string{"number": "1", "actor": "ada", "action": "close"})
	if !strings.HasSuffix(rows[0]["subject"], "/"+month) || len(rows[0]["hash"]) != 64 {
		t.Errorf("audit entry %v", rows[0])
	}
}
