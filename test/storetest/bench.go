package storetest

import (
	"testing"

	"gpuledger/internal/store"
)

// BigLedger fills a database with about 400,000 postings: 45 nodes of 8 GPUs
// over 7 days, 53 usage rows per node-hour, 60 runs.
func BigLedger(b testing.TB) *store.Store {
	b.Helper()
	s := New(b)
	for _, table := range []string{"parts", "usage", "posting_rows"} {
		Run(b, s.Pool, "select ensure_month($1, '2026-11-02')", table)
	}
	for _, sql := range []string{
		`insert into owners (tenant_id, owner_id, team) select 1, md5('o' || i)::uuid, 'team-' || i
			from generate_series(0, 19) i`,
		`insert into nodes (tenant_id, node_id, cluster, name, price_class, gpus) select 1, md5('n' || i)::uuid, 'c',
			'node-' || i, case when i % 3 = 0 then 'spot' else 'on_demand' end, 8 from generate_series(1, 45) i`,
		`insert into runs (tenant_id, run_id, cluster, namespace, name, root_kind, kind, status, started_at, ended_at,
			  attempts, preemptions, world, owner_id)
			select 1, 'c/ns/Job/run-' || i, 'c', 'ns', 'run-' || i, 'Job', 'training', 'succeeded', '2026-11-02', '2026-11-09',
			  3, 0, 1, md5('o' || i % 20)::uuid from generate_series(0, 59) i`,
		`insert into attempts (tenant_id, attempt_id, run_id, attempt, started_at, ended_at, running, outcome, nodes, gpus)
			select 1, md5('a' || i || '-' || a)::uuid, 'c/ns/Job/run-' || i, a, '2026-11-02', '2026-11-09', false, 'failed', 1, 8
			from generate_series(0, 59) i, generate_series(1, 3) a`,
		`insert into workloads (tenant_id, workload_id, cluster, namespace, name, uid, kind, owner_name, class, node_id,
			  hold_from, hold_to, outcome, run_id)
			select 1, md5('w' || n || '-' || i)::uuid, 'c', 'ns', 'run-' || i || '-' || n, md5('w' || n || '-' || i), 'Job',
			  'run-' || i, 'run', md5('n' || n)::uuid, '2026-11-02', '2026-11-09', 'failed', 'c/ns/Job/run-' || i
			from generate_series(1, 45) n, generate_series(0, 59) i`,
		`insert into parts (tenant_id, part_id, charge_id, delivery_id, number, kind, node_id, hour, billing_period, currency,
			  effective_cost, billed_cost, list_cost, usage_seconds, method, quality)
			select 1, md5('p' || n || '-' || h)::uuid, md5('c' || n || '-' || h)::uuid, md5('d')::uuid, 0, 'compute',
			  md5('n' || n)::uuid, '2026-11-02'::timestamptz + h * interval '1 hour', '2026-11', 'USD', 32.77, 32.77, 98.32,
			  3600, 'resource id', 'measured'
			from generate_series(1, 45) n, generate_series(0, 167) h`,
		`insert into usage (tenant_id, usage_id, hour, node_id, slot, device, workload_id, run_id, attempt_id, cause,
			  activity, owner_id, quality, method, seconds, active_seconds, weight_num, weight_den, held,
				gpu_hours, capacity_gpu_hours, active_gpu_hours, energy_kwh, generation)
			select 1, md5('u' || n || '-' || h || '-' || k)::uuid, '2026-11-02'::timestamptz + h * interval '1 hour',
			  md5('n' || n)::uuid, k % 8, 'GPU-' || n || '-' || k % 8,
				case when k < 45 then md5('w' || n || '-' || (n % 15 * 4 + h / 42))::uuid end,
				  case when k < 45 then 'c/ns/Job/run-' || (n % 15 * 4 + h / 42) end,
				  case when k < 45 then md5('a' || (n % 15 * 4 + h / 42) || '-' || k % 3 + 1)::uuid end,
				(array['used','used','used','held_idle','lost','overhead'])[k % 6 + 1], 'active',
				md5('o' || (n % 15 * 4 + h / 42) % 20)::uuid, 'measured', 'exclusive', 543, 500, 543, 1, k < 45,
				0.150943396226, 0.150943396226, 0.1, 0.07, 1
			from generate_series(1, 45) n, generate_series(0, 167) h, generate_series(0, 52) k`,
		`insert into posting_terms (tenant_id, terms_id, billing_period, posted_period, settles, cause, activity, kind,
			  method, quality, policy_version, currency, state)
			select distinct 1, hashtextextended(u.cause || u.activity || u.method || u.quality, 0), '2026-11', '2026-11',
			  '2026-11', u.cause, u.activity, 'direct', u.method, u.quality, 'default-1', 'USD', 'open' from usage u`,
		`insert into posting_rows (tenant_id, posting_id, hour, part_id, charge_id, part, usage_id, terms_id, owner_id,
				effective_cost, billed_cost, list_cost, gpu_hours, capacity_gpu_hours, active_gpu_hours, energy_kwh, node_id, slot,
				device, workload_id, run_id, attempt_id, generation)
			select 1, md5('x' || u.usage_id)::uuid, u.hour, p.part_id, p.charge_id, 0, u.usage_id,
			  hashtextextended(u.cause || u.activity || u.method || u.quality, 0), u.owner_id,
				0.618301886792, 0.618301886792, 1.855094339622, u.gpu_hours, u.capacity_gpu_hours, u.active_gpu_hours, u.energy_kwh,
				u.node_id, u.slot, u.device, u.workload_id, u.run_id, u.attempt_id, 1
			from usage u join parts p on p.node_id = u.node_id and p.hour = u.hour`,
		`insert into chunks (tenant_id, node_id, day, generation, calculation_id, digest, usage_rows, part_rows, posting_rows,
			  span_rows)
			select 1, node_id, date_trunc('day', hour, 'UTC'), 1, md5('c')::uuid, 'x', count(*), 24, count(*), 0 from usage
			group by 2, 3`,
		`vacuum analyze`,
	} {
		Run(b, s.Pool, sql)
	}
	return s
}
