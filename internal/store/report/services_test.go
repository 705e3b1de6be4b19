package report_test

import (
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/period"
	"gpuledger/internal/star"
	"gpuledger/internal/store"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// servedDays generates requests served by 6 services of 24 replicas on 70 days: models, engines that count tokens or
// not, buckets of several bounds, two currencies, closed months, hours without a bill. Each replica serves in one
// hour of a day.
const servedDays = `
with day as (
  select d, '2026-09-10 00:00:00+00'::timestamptz + d * interval '1 day' as at from generate_series(0, 69) d
  where d not in (20, 21)
), served as (
  select day.at, at + ((i * 5 + d) % 24) * interval '1 hour' as hour, w.workload_id, i, d, m, c,
    hashtext(i || '-' || d || '-' || m || '-' || c) & 65535 as x
  from day cross join generate_series(0, 23) i cross join generate_series(0, 1) m cross join generate_series(0, 1) c
  join workloads w on w.name = 'replica-' || i
  where (m = 0 or i % 3 = 0) and (c = 0 or i % 4 = 1) and (i + d) % 11 <> 0
), every as (
  select *, i % 5 <> 0 and c = 0 as counts,
    case when x % 2 = 0 then array[1000000, 50000000, 9223372036854775807]
      else array[2000000, 50000000, 80000000, 9223372036854775807] end as bounds from served
)
insert into serving_hours (tenant_id, hour, workload_id, model, server, served_tenant, currency, state, service,
    replica, effective_cost, billed_cost, list_cost, contracted_cost,
  used_cost, held_idle_cost, overhead_cost, lost_cost, unobserved_cost, host_cost, metered_cost, input_cost,
  output_cost, split_basis, counts_tokens, counts_requests,
  gpu_hours, used_gpu_hours, active_gpu_hours, replica_hours, held_minutes, seen_minutes, requests, failed_requests,
  inferences, prompt_tokens, cached_prompt_tokens, generation_tokens,
  prefill_ms, decode_ms, latency_ms, latency_samples, ttft_ms, ttft_samples, queue_ms, queue_samples, latency_bounds,
  latency_counts, ttft_bounds, ttft_counts, queue_bounds, queue_counts)
select 1, hour, workload_id, 'model-' || (i + m) % 4, case when counts then 'vllm' else '' end,
  case when x % 5 = 0 then 'tenant-' || x % 3 else '' end,
  case when c = 1 then 'EUR' when x % 17 = 0 then '' else 'USD' end, case when d < 20 then 'final' else 'open' end,
    'svc-' || i % 6, 'replica-' || i,
  case when x % 17 <> 0 or c = 1 then x * 0.000123456789 end, x * 0.0001, x * 0.0002, null, x * 0.00005, x * 0.00002, 0,
    0, 0, 0, 0, x * 0.00003, x * 0.000093456789,
  (array['measured','weighted','stated'])[1 + i % 3], counts and i % 3 > 0, counts,
  case when c = 0 and m = 0 then x / 65535.0 end, case when c = 0 and m = 0 then x / 131072.0 end,
    case when c = 0 and m = 0 and x % 7 > 0 then x / 262144.0 end,
  case when c = 0 and m = 0 then 1 end, case when c = 0 and m = 0 then 60 end, case when counts then 55 end,
  case when counts then x end, case when counts then x % 9 end, case when counts then x end,
    case when counts and i % 3 > 0 then x * 900 end, case when counts and i % 3 = 1 and x % 3 > 0 then x * 100 end,
  case when counts and i % 3 > 0 then x * 200 end, case when counts then x * 3 end, case when counts then x * 11 end,
    case when counts then x * 30 end, case when counts then x end,
  case when i % 3 = 1 then x * 7 end, case when i % 3 = 1 then x end, null, null,
  case when counts then bounds end, case when counts then (array[x % 50, x % 50 + x % 70, x % 50 + x % 70 + x % 3,
      x % 50 + x % 70 + x % 3 + 1])[:cardinality(bounds)]::bigint[] end,
  case when i % 3 = 1 and x % 4 > 0 then array[10000000, 9223372036854775807] end,
    case when i % 3 = 1 and x % 4 > 0 then array[x % 40, x % 40 + 2]::bigint[] end,
  case when i % 3 = 2 and counts then bounds end,
    case when i % 3 = 2 and counts then array_fill(x::bigint, array[cardinality(bounds)]) end
from every`

// servedStore has servedDays, rolled up.
func servedStore(t *testing.T) *store.Store {
	t.Helper()
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, "delete from dirty")
	storetest.Run(t, s.Pool, `insert into nodes (tenant_id, node_id, cluster, name, instance_type, region, zone,
		  price_class, gpu_model, gpus)
		select 1, md5('n' || i)::uuid, 'prod', 'n-' || i, (array['p5.48xlarge','p4d.24xlarge'])[1 + i % 2], 'r-' || i % 3,
		  nullif('z-' || i % 4, 'z-3'), (array['spot','on_demand'])[1 + i / 3 % 2], 'H100', 8
		from generate_series(0, 7) i`)
	storetest.Run(t, s.Pool, `insert into owners (tenant_id, owner_id, team, project, stage, environment, cost_center,
		  business_unit, model_version, labels)
		select 1, md5('o' || i)::uuid, 'team-' || i % 3, nullif('project-' || i % 2, 'project-1'), 'inference', 'production',
		  'cc-' || i, 'unit', 'v' || i, '{}' from generate_series(0, 4) i`)
	storetest.Run(t, s.Pool, `insert into workloads (tenant_id, workload_id, cluster, namespace, name, uid, kind, service,
		  owner_name, class, node_id, outcome, owner_id)
		select 1, md5('r' || i)::uuid, 'cluster-' || i % 6 % 2, 'ns-' || i % 6 % 4, 'replica-' || i, 'u-' || i, 'Deployment',
		  'svc-' || i % 6, 'svc-' || i % 6, 'service', md5('n' || i % 8)::uuid, 'running',
		case when i % 6 < 5 then md5('o' || i % 6)::uuid end from generate_series(0, 23) i`)
	for _, month := range []string{"2026-09-01", "2026-10-01", "2026-11-01"} {
		storetest.Run(t, s.Pool, "select ensure_month('serving_hours', $1::text::timestamptz)", month)
	}
	storetest.Run(t, s.Pool, servedDays)
	addUp(t, s, func(period.Second) bool { return true })
	return s
}

// addUp rolls up the selected days, from the first of a month on, so that months are whole.
func addUp(t *testing.T, s *store.Store, which func(day period.Second) bool) {
	t.Helper()
	var days []period.Second
	for day := storetest.Second("2026-09-01T00"); day < storetest.Second("2026-11-19T00"); day += period.Day {
		if which(day) {
			days = append(days, day)
		}
	}
	for len(days) > 0 {
		done, _, err := s.RollUpDays(t.Context(), "costs", days)
		if err != nil {
			t.Fatal(err)
		}
		days = days[done:]
	}
}

// servedKeys are the keys of services and places that rows are grouped by.
func servedKeys() (keys []string) {
	d, _ := metrics.LookupDataset("inference")
	for _, key := range star.Serving.Rollup("serving_place").Keys {
		if _, err := metrics.Parse(d.Name, metrics.Options{GroupBy: key}); err == nil {
			keys = append(keys, key)
		}
	}
	return keys
}

// servedQuestions are queries to services: every key alone, some together, in windows that cut days and months, or
// none.
func servedQuestions() []metrics.Options {
	windows := []metrics.Options{
		{}, {From: "2026-09-01", To: "2026-12-01"}, {From: "2026-09-15", To: "2026-11-03"},
		{From: "2026-09-12T07:00", To: "2026-10-31T12:00"}, {From: "2026-10-01"}, {To: "2026-11-01"},
	}
	var list []metrics.Options
	for i, key := range append(servedKeys(),
		[]string{"pod", "service,model", "team,gpu_model", "server,tenant,currency"}...) {
		o := windows[i%len(windows)]
		o.GroupBy = key
		list = append(list, o)
	}
	for i, w := range windows {
		w.GroupBy = []string{"", "service", "currency"}[i%3]
		list = append(list, w)
		for _, more := range []metrics.Options{{Granularity: "month"}, {Granularity: "week"}, {Granularity: "day"},
			{Granularity: "month", TZ: "Asia/Kolkata"}, {Granularity: "week", TZ: "America/Los_Angeles"},
			{Granularity: "day", TZ: "Europe/Berlin"}, {Filter: "region = r-1 or team = team-2"},
			{Filter: "not model = model-1"}, {Filter: "pod = replica-1"},
			{Granularity: "month", GroupBy: "pricing", Basis: "list"}} {
			more.From, more.To = w.From, w.To
			if more.GroupBy == "" {
				more.GroupBy = w.GroupBy
			}
			list = append(list, more)
		}
	}
	return list
}

// sameServed compares roll-ups with rows of replicas, to the digit.
func sameServed(t *testing.T, s *store.Store, when string, list []metrics.Options) {
	t.Helper()
	for _, o := range list {
		q, err := metrics.Parse("inference", o)
		if err != nil {
			t.Fatalf("%+v: %v", o, err)
		}
		var got [2][]string
		for i, ask := range []func() (metrics.Rows, error){
			func() (metrics.Rows, error) { return s.Query(t.Context(), q) },
			func() (metrics.Rows, error) { return s.QueryLedger(t.Context(), q) },
		} {
			rows, err := ask()
			if err != nil {
				t.Fatalf("%s, %+v: %v", when, o, err)
			}
			for rows.Next() {
				var line []string
				for k, v := range rows.Values() {
					line = append(line, rows.Columns()[k].Name+" "+v.String(rows.Columns()[k].Kind))
				}
				got[i] = append(got[i], strings.Join(line, "\n"))
			}
			rows.Close()
			if err := rows.Err(); err != nil {
				t.Fatalf("%s, %+v: %v", when, o, err)
			}
		}
		if !slices.Equal(got[0], got[1]) || len(got[0]) == 0 {
			for i := range min(len(got[0]), len(got[1])) {
				a, b := strings.Split(got[0][i], "\n"), strings.Split(got[1][i], "\n")
				for k := range a {
					if a[k] != b[k] {
						t.Fatalf("%s, %+v: row %d: %q from roll-ups, %q from replicas", when, o, i, a[k], b[k])
					}
				}
			}
			t.Fatalf("%s, %+v: %d rows from roll-ups, %d from replicas", when, o, len(got[0]), len(got[1]))
		}
	}
}

// Roll-ups of services equal the sums of their replicas, to the digit, for any query and window, with months and
// without, while days are marked, and after renames.
func TestServicesSayWhatReplicasSay(t *testing.T) {
	s := servedStore(t)
	questions := servedQuestions()
	some := func(from int) (list []metrics.Options) {
		for i := from; i < len(questions); i += 8 {
			list = append(list, questions[i])
		}
		return list
	}
	sameServed(t, s, "by day", some(0))
	if rows, err := s.RollUpMonths(t.Context()); err != nil || rows == 0 {
		t.Fatal(rows, err)
	}
	if n := storetest.Count(t, s, "select count(distinct at) from star.serving_months"); n != 2 {
		t.Errorf("%d months, want those that are over", n)
	}
	sameServed(t, s, "by month", questions)
	reads := func(o metrics.Options) map[string]int64 {
		q, err := metrics.Parse("inference", o)
		if err != nil {
			t.Fatal(err)
		}
		read, err := s.Reads(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		return read
	}
	for _, o := range []metrics.Options{
		{GroupBy: "service", To: "2026-11-01"},
		{GroupBy: "gpu_model", From: "2026-09-01", To: "2026-11-01"}, {Granularity: "day"},
	} {
		for table, n := range reads(o) {
			if n != 0 && table == "serving_hours" {
				t.Errorf("%+v reads %d rows of %s", o, n, table)
			}
		}
	}

	// Changed names are read from workloads until the day is rolled up again.
	storetest.Run(t, s.Pool, "update nodes set region = 'r-9' where name = 'n-1'")
	storetest.Run(t, s.Pool, "update workloads set owner_id = md5('o1')::uuid where name = 'replica-3'")
	for i, mark := range []string{
		"insert into dirty (tenant_id, mark_id, node_id, day, reason) select 1, next_mark(1), md5('n1')::uuid, day, " +
			"'node' from generate_series('2026-09-01 00:00:00+00', '2026-11-30 00:00:00+00', interval '24 hours') day",
		"insert into stale_days (tenant_id, day, what) select 1, day, 'ledger' from dirty",
		"insert into analysis_days (tenant_id, step, day) select distinct 1, 'costs', day from stale_days on conflict do " +
			"nothing",
	} {
		storetest.Run(t, s.Pool, mark)
		if strings.Contains(mark, "stale_days (") {
			storetest.Run(t, s.Pool, "delete from dirty")
		}
		sameServed(t, s, mark[:30], some(i+1))
	}
	storetest.Run(t, s.Pool, "delete from stale_days")
	storetest.Run(t, s.Pool, "delete from analysis_days where day > '2026-10-05' and day <> '2026-10-20'")
	addUp(t, s, func(day period.Second) bool {
		return day >= storetest.Second("2026-10-06T00") && day != storetest.Second("2026-10-20T00")
	})
	if n := storetest.Count(t, s, "select count(distinct at) from star.serving_months"); n != 1 {
		t.Errorf("%d months are left, want that of which no day was made again", n)
	}
	sameServed(t, s, "half of it made again", some(4))
	storetest.Run(t, s.Pool, "delete from analysis_days")
	addUp(t, s, func(period.Second) bool { return true })
	if _, err := s.RollUpMonths(t.Context()); err != nil {
		t.Fatal(err)
	}
	sameServed(t, s, "all made again", some(5))
}
