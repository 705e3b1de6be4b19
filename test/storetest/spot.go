package storetest

import (
	"testing"

	"gpuledger/internal/store"
	"gpuledger/metrics/spot"
)

// SpotLedger is smallLedger with its machine taken away at 11:00, in the middle of the run's first attempt, all of
// which was lost.
func SpotLedger(t *testing.T) *store.Store {
	s := SmallLedger(t)
	Run(t, s.Pool, `update nodes set appeared_at = '2026-11-02T10:00:00Z', gone_at = '2026-11-02T10:30:00Z',
		zone = 'us-east-1a'`)
	Run(t, s.Pool, `update attempts set reason = 'spot_interruption' where attempt = 1`)
	Run(t, s.Pool, `update attempts set started_at = '2026-11-02T10:35:00Z', ended_at = '2026-11-02T11:00:00Z'
		where attempt = 2`)
	Run(t, s.Pool, `insert into segments (tenant_id, attempt_id, workload_id, from_at, to_at, weight)
		select 1, attempt_id, $1, started_at, ended_at, 1000000 from attempts where attempt = 1`, ID("workload", "1"))
	Run(t, s.Pool, `insert into instance_events (tenant_id, provider, instance_id, kind, detail, at) values
		(1, 'aws', 'i-1', 'interruption_warning', 'terminate', '2026-11-02T10:28:00Z'),
		(1, 'aws', 'i-1', 'state_change', 'terminated', '2026-11-02T10:30:00Z')`)
	Run(t, s.Pool, `select ensure_month('spans', '2026-11-02')`)
	Run(t, s.Pool, `insert into spans (tenant_id, node_id, day, slot, run_id, attempt_id, cause, from_at, to_at)
		select 1, $1, '2026-11-02', 0, run_id, attempt_id, x.cause, x.from_at, x.to_at from attempts cross join (values
			('overhead', timestamptz '2026-11-02T10:35:00Z', timestamptz '2026-11-02T10:40:00Z'),
			('used', '2026-11-02T10:40:00Z', '2026-11-02T11:00:00Z')) x (cause, from_at, to_at)
		where attempt = 2`, ID("instance", "i-1"))
	Interrupt(t, s)
	return s
}

// Interrupt runs the analysis step.
func Interrupt(t *testing.T, s *store.Store) {
	t.Helper()
	facts, window, err := s.SpotFacts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.SaveInterruptions(t.Context(), spot.Interruptions(facts, window)); err != nil {
		t.Fatal(err)
	}
}
