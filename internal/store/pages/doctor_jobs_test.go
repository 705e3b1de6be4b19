package pages_test

import (
	"testing"

	"gpuledger/internal/period"
	"gpuledger/internal/store/pages"
	"gpuledger/test/storetest"
)

// Slurm jobs an hour later than the activity of their machine's GPUs are reported to fit an hour earlier.
func TestJobsInLocalTimeAreFound(t *testing.T) {
	s := storetest.SmallLedger(t)
	node := storetest.ID("node", "slurm")
	storetest.Run(t, s.Pool, `select ensure_month('usage', '2026-11-01')`)
	storetest.Run(t, s.Pool, `insert into usage (tenant_id, usage_id, hour, node_id, slot, cause, activity, owner_id,
		  quality, method, seconds, active_seconds,
			weight_num, weight_den, held, gpu_hours, capacity_gpu_hours, active_gpu_hours, generation)
		select 1, gen_random_uuid(), h, $1, 0, 'free', 'active', $1, 'measured', 'm', 3600, 0, 1, 1, false, 0, 1,
			case when extract(hour from h at time zone 'UTC') between 8 and 11 then 0.9 else 0.01 end, 1
		from generate_series('2026-11-02T00:00Z'::timestamptz, '2026-11-05T23:00Z', '1 hour') h`, node)
	storetest.Run(t, s.Pool, `insert into workload_facts (tenant_id, cluster, uid, namespace, name, node, system,
		  asked_units)
		select 1, 'hpc', 'j' || d, 'ml', 'j', 'n1', 'slurm', 7000000 from generate_series(2, 5) d`)
	storetest.Run(t, s.Pool, `insert into workloads (tenant_id, workload_id, cluster, namespace, name, uid, kind,
		  owner_name, class, outcome, node_id, hold_from, hold_to)
		select 1, gen_random_uuid(), 'hpc', 'ml', 'j', 'j' || d, 'SlurmJob', '', 'run', '', $1,
		  ('2026-11-0' || d || 'T09:00Z')::timestamptz, ('2026-11-0' || d || 'T13:00Z')::timestamptz
		from generate_series(2, 5) d`, node)
	list, err := s.JobOffsets(t.Context())
	if err != nil || len(list) != 1 || list[0] != (pages.JobOffset{Cluster: "hpc", Offset: -period.Hour}) {
		t.Fatalf("%+v, %v", list, err)
	}
	storetest.Run(t, s.Pool, `update workloads set hold_from = hold_from - interval '1 hour',
		hold_to = hold_to - interval '1 hour' where cluster = 'hpc'`)
	if list, err := s.JobOffsets(t.Context()); err != nil || len(list) > 0 {
		t.Errorf("at the right time: %+v, %v", list, err)
	}
}
