package pages_test

import (
	"context"
	"testing"
	"time"

	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

func TestExtent(t *testing.T) {
	s := storetest.New(t)
	if got, err := s.Extent(t.Context()); err != nil || got != (metrics.Extent{}) {
		t.Errorf("an empty ledger reaches over %v, %v", got, err)
	}
	s = pageLedger(t)
	// before all machine data
	storetest.Run(t, s.Pool, "update attempts set started_at = '2026-10-31T00:00:00Z', ended_at = '2026-10-31T01:00:00Z'")
	for _, test := range []struct{ seen, data, want string }{
		{"2026-11-02T11:05:00Z", "2026-11-02T11:05:00Z", "2026-11-02T11:05:00Z"}, // data end anywhere
		{"2026-11-02T11:00:20Z", "2026-11-02T11:00:00Z", "2026-11-02T11:00:20Z"}, // a few seconds do not count as an hour
		{"2026-11-02T11:59:10Z", "2026-11-02T12:00:00Z", "2026-11-02T11:59:10Z"}, // the last minute counts until its end
		{"2026-11-02T12:00:00Z", "2026-11-02T12:00:00Z", "2026-11-02T12:00:00Z"},
		{"2026-11-01T00:00:00Z", "2026-11-02T12:00:00Z", "2026-11-01T00:00:00Z"}, // bills reach further than samples
	} {
		storetest.Run(t, s.Pool, "update nodes set gone_at = $1", test.seen)
		got, err := s.Extent(t.Context())
		if err != nil || got.Stored.String() != "2026-11-02T10:00:00Z/2026-11-02T12:00:00Z" ||
			got.Data.String() != test.data || got.Seen.String() != test.want {
			t.Errorf("seen until %s: %v, want data to %s (%v)", test.seen, got, test.data, err)
		}
	} // A fee posted to the end of its month is stored time without data.
	storetest.Run(t, s.Pool, "update nodes set gone_at = '2026-11-02T11:05:00Z'")
	storetest.Run(t, s.Pool, "update posting_rows set hour = '2026-11-30T23:00:00Z' where usage_id is null and hour = "+
		"(select max(hour) from posting_rows where usage_id is null)")
	got, err := s.Extent(t.Context())
	if err != nil || got.Stored.To.String() != "2026-12-01T00:00:00Z" || got.Data.String() != "2026-11-02T11:05:00Z" {
		t.Errorf("with a fee to the end of November: %v (%v)", got, err)
	}
	for _, row := range storetest.Table(t, s, "costs", metrics.Options{}) {
		storetest.Wants(t, row, map[string]string{
			"period_start": got.Stored.From.String(), "period_end": got.Stored.To.String(),
		})
	}
	// The fiscal calendar is that of the policy at the end of the data, for users with a scope too.
	for _, document := range []string{
		"version: june\nvalid_from: 2026-06-01\nfiscal_calendar: {start: june}\n",
		"version: later\nvalid_from: 2026-12-01\nfiscal_calendar: {start: july}\n",
	} {
		if _, _, err := s.SavePolicy(t.Context(), []byte(document), "ada"); err != nil {
			t.Fatal(err)
		}
	}
	for _, ctx := range []context.Context{t.Context(), storetest.InPart(t, s, "team = 'vision'")} {
		if got, err := s.Extent(ctx); err != nil || got.Fiscal.Start != time.June {
			t.Errorf("the fiscal year starts in %v (%v)", got.Fiscal.Start, err)
		}
	}
	// Without telemetry and hours of usage, the bill sets the end of usage.
	storetest.Run(t, s.Pool, "delete from usage")
	storetest.Run(t, s.Pool, "update nodes set gone_at = null")
	storetest.Run(t, s.Pool, "insert into coverage (tenant_id, account, covered_until) values (1, '1', "+
		"'2026-11-02T12:00:00Z')")
	if got, err = s.Extent(t.Context()); err != nil || got.Data.String() != "2026-11-02T12:00:00Z" {
		t.Errorf("bills alone: %v (%v)", got, err)
	}
}
