package explain_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"gpuledger/internal/closing"
	"gpuledger/internal/store"
	"gpuledger/internal/store/explain"
	"gpuledger/internal/store/verify"
	"gpuledger/test/storetest"
)

// TestExplainOutlivesSamples closes a month, deletes all inputs except the bill and the ledger, and expects the same
// explanation.
func TestExplainOutlivesSamples(t *testing.T) {
	s := storetest.SmallLedger(t)
	for _, table := range []string{"parts", "postings"} {
		storetest.Run(t, s.Pool, "update "+table+" set billing_account = '111' where billing_period is not null")
	}
	at := time.Date(2026, 12, 6, 9, 0, 0, 0, time.UTC)
	subject := "posting/" + storetest.ID("posting", "lost").String()
	before, err := s.Explain(t.Context(), subject)
	if err != nil {
		t.Fatal(err)
	}
	shut := func() {
		t.Helper()
		err := s.Books(t.Context(), func(b closing.Books) error {
			_, err := b.Close(t.Context(), "111", "2026-11", "ada", at)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	shut()
	var kept int
	if err := s.Pool.QueryRow(t.Context(), "select count(*) from hour_evidence").Scan(&kept); err != nil || kept != 1 {
		t.Fatalf("%d node-hours kept, %v", kept, err)
	}
	var refused *pgconn.PgError
	if _, err := s.Pool.Exec(t.Context(), "update hour_evidence set document = ''"); !errors.As(err, &refused) ||
		!strings.Contains(err.Error(), "closed period") {
		t.Errorf("kept evidence can be changed: %v", err)
	}
	for _, table := range []string{"sample_hours", "hold_evidence", "workloads", "attempts", "runs"} {
		storetest.Run(t, s.Pool, "delete from "+table)
	}
	after, err := s.Explain(t.Context(), subject)
	if err != nil {
		t.Fatal(err)
	}
	storetest.AssertRecomputes(t, after)
	was, is := before.NodeHours[0], after.NodeHours[0]
	if is.Evidence == nil || is.Evidence.Source != "frozen" || len(is.Evidence.Rows) != 3 {
		t.Fatalf("evidence %+v", is.Evidence)
	}
	for i := range was.Rows {
		if a, b := was.Rows[i], is.Rows[i]; a.UsageID != b.UsageID || a.Weight != b.Weight || a.Holder != b.Holder ||
			!explain.SameText(a.RunID, b.RunID) || !explain.SameSlice(a.Attempt, b.Attempt) {
			t.Errorf("row %d was %+v, is %+v", i, a, b)
		}
	}
	was.Evidence.Samples[0].Values = nil // minutes are gone with the samples
	for what, pair := range map[string][2]any{
		"samples": {was.Evidence.Samples, is.Evidence.Samples},
		"holders": {was.Evidence.Holders, is.Evidence.Holders}, "steps": {before.Shares, after.Shares},
	} {
		a, _ := json.Marshal(pair[0])
		b, _ := json.Marshal(pair[1])
		if string(a) != string(b) {
			t.Errorf("%s were\n%s\nare\n%s", what, a, b)
		}
	}
	report, err := s.Verify(t.Context(), verify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range report.Checks {
		if c.Name == "evidence of closed hours" && c.State != verify.CheckPassed {
			t.Errorf("verify: %+v", c)
		}
	}
	storetest.Run(t, s.Pool, "alter table hour_evidence disable trigger user")
	storetest.Run(t, s.Pool, "update hour_evidence set digest = digest || 'x'")
	if failing(t, s, "evidence of closed hours") == "" {
		t.Error("verify does not see changed evidence")
	}
	storetest.Run(t, s.Pool, "alter table statement_lines disable trigger user")
	storetest.Run(t, s.Pool, "update statement_lines set effective_cost = effective_cost + 0.01 where cause = 'lost'")
	if said := failing(t, s, "statements"); !strings.Contains(said, "line ") || !strings.Contains(said, "8.2025") {
		t.Errorf("a cent more in a statement: %q", said)
	}
	storetest.Run(t, s.Pool, "update statement_lines set effective_cost = effective_cost - 0.01 where cause = 'lost'")
	err = s.Books(t.Context(), func(b closing.Books) error {
		return b.Reopen(t.Context(), "111", "2026-11", "ada", "a mistake", at)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Pool.QueryRow(t.Context(), "select count(*) from hour_evidence").Scan(&kept); err != nil || kept != 0 {
		t.Errorf("%d node-hours kept after reopening, %v", kept, err)
	}
}

// failing is the first row that a check names; empty if the check passes.
func failing(t *testing.T, s *store.Store, name string) string {
	t.Helper()
	report, err := s.Verify(t.Context(), verify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range report.Checks {
		if c.Name == name && c.State == verify.CheckFailed {
			return c.Rows[0]
		}
	}
	return ""
}
