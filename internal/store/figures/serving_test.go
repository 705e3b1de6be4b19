package figures_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
	"gpuledger/internal/store"
	"gpuledger/metrics"
	"gpuledger/metrics/serving"
	"gpuledger/test/storetest"
)

// The SQL that merges buckets equals the Go code, for any bounds.
func TestHistogramQuantile(t *testing.T) {
	s := storetest.New(t)
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 60 {
		var list []serving.Histogram
		text := ""
		for i := range r.IntN(4) {
			bounds := []int64{1_000_000, 50_000_000, 1_000_000_000, 2_500_000_000, 10_000_000_000}
			if i > 0 && round%2 == 1 {
				bounds = []int64{0, 20_000_000, 1_000_000_000, 5_000_000_000}[r.IntN(2):]
			}
			h := serving.Histogram{Bounds: append(slices.Clip(bounds), serving.Infinite)}
			var n int64
			for range h.Bounds {
				n += int64(r.IntN(4)) * int64(r.IntN(30))
				h.Counts = append(h.Counts, n)
			}
			list = append(list, h)
			if text != "" {
				text += ", "
			}
			text += fmt.Sprintf("row(array%s::bigint[], array%s::bigint[])::histogram", sqlList(h.Bounds), sqlList(h.Counts))
		}
		for _, ppm := range []int64{0, 500_000, 950_000, 990_000, 1_000_000} {
			var got *string
			if err := s.Pool.QueryRow(t.Context(),
				fmt.Sprintf("select histogram_quantile(array[%s]::histogram[], %d / 1e6)::text", text,
					ppm)).Scan(&got); err != nil {
				t.Fatal(err)
			}
			var merged *string // those with the same bounds are added up first, as in reports
			if err := s.Pool.QueryRow(t.Context(),
				fmt.Sprintf("select histogram_quantile(merged_histograms(h), %d / 1e6)::text from unnest(array[%s]::histogram[]) h",
					ppm, text)).Scan(&merged); err != nil {
				t.Fatal(err)
			}
			if (got == nil) != (merged == nil) || got != nil && *got != *merged {
				t.Fatalf("%d ppm of %v: %v, merged before %v", ppm, list, got, merged)
			}
			want := serving.Quantile(list, ppm)
			if (got == nil) != (want == nil) {
				t.Fatalf("%d ppm of %v: %v in SQL, %v in Go", ppm, list, got, want)
			}
			if got == nil {
				continue
			}
			v, _ := new(big.Rat).SetString(*got)
			if v.Sub(v, want).Abs(v).Cmp(big.NewRat(1, 1_000_000_000_000)) > 0 {
				t.Fatalf("%d ppm of %v: %s in SQL, %s in Go", ppm, list, *got, want.FloatString(12))
			}
		}
	}
}

func sqlList(list []int64) string {
	text := "["
	for i, v := range list {
		if i > 0 {
			text += ","
		}
		text += fmt.Sprint(v)
	}
	return text + "]"
}

// servingLedger is smallLedger with its run turned into a service.
func servingLedger(t *testing.T) *store.Store {
	t.Helper()
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, `update workloads set class = 'service', service = 'chat', owner_name = 'chat',
		kind = 'Deployment', run_id = null,
		hold_from = '2026-11-02T10:00:00Z', hold_to = '2026-11-02T12:00:00Z'`)
	return s
}

// counted stores an hour of counters of the service's pod; each counter has the given values at the start of minutes.
func counted(t *testing.T, s *store.Store, pod, server, model, hour string, counters map[string]map[int]int64) {
	t.Helper()
	set := map[string]ledger.Minutes{}
	for name, values := range counters {
		var m ledger.Minutes
		for minute, v := range values {
			minutes.Set(&m, minute, 0, v*1000)
		}
		set[name] = m
	}
	packed, err := minutes.Encode(nil, set)
	if err != nil {
		t.Fatal(err)
	}
	storetest.Run(t, s.Pool, "select ensure_month('counter_hours', $1::text::timestamptz)", hour)
	storetest.Run(t, s.Pool, `insert into counter_hours (tenant_id, cluster, namespace, pod, server, model, engine, hour,
		  vectors) values (1, 'prod', 'ml', $1, $2, $3, '', $4::text::timestamptz, $5)`,
		pod, server, model, hour, packed)
}

// serve computes the serving rows of a day.
func serve(t *testing.T, s *store.Store, day string) serving.Leftover {
	t.Helper()
	at, err := metrics.ParseTime("day", day, "UTC")
	if err != nil {
		t.Fatal(err)
	}
	_, left, err := s.SaveServing(t.Context(), "serving", period.DayOf(at))
	if err != nil {
		t.Fatal(err)
	}
	return left
}

func TestInference(t *testing.T) {
	s := servingLedger(t)
	serve(t, s, "2026-11-02")
	rows := storetest.Table(t, s, "inference", metrics.Options{Filter: "currency = USD"})
	if len(rows) != 1 {
		t.Fatalf("%d rows without series: %v", len(rows), rows)
	}
	// No series: cost without traffic, with unknown counts, not 0.
	storetest.Wants(t, rows[0],
		map[string]string{"service": "chat", "model": "llama", "server": "", "requests": "", "generation_tokens": "",
			"effective_cost": "16.385", "lost_cost": "8.1925", "used_cost": "8.1925",
			"idle_cost": "0", "input_cost": "3.277", "output_cost": "13.108", "split_basis": "stated",
			"cost_per_1k_requests": "", "cost_per_1k_tokens": "", "latency_p95": "", "coverage": "0",
			"gpu_hours": "4", "replicas": "1", "replica_hours": "1", "cost_per_replica_hour": "16.385", "state": "open"})
	// The hour without a bill has quantities and no cost.
	rows = storetest.Table(t, s, "inference", metrics.Options{Filter: "currency = ''"})
	storetest.Wants(t, rows[0], map[string]string{
		"currency": "", "effective_cost": "", "idle_cost": "", "gpu_hours": "1", "replica_hours": "1", "state": "provisional",
	})

	counted(t, s, "train-0", "vllm", "acme/llama-70b", "2026-11-02T09:00:00Z",
		map[string]map[int]int64{"prompt_tokens": {59: 100}})
	counted(t, s, "train-0", "vllm", "acme/llama-70b", "2026-11-02T10:00:00Z",
		map[string]map[int]int64{"requests/stop": {0: 0, 29: 40}, "requests/abort": {0: 0, 29: 2},
			"prompt_tokens": {0: 300, 29: 1100}, "cached_prompt_tokens": {0: 0, 29: 200}, "generation_tokens": {0: 0, 29: 200},
			"latency_seconds_bucket/1": {0: 0, 29: 20}, "latency_seconds_bucket/4": {0: 0, 29: 40},
			"latency_seconds_bucket/+Inf": {0: 0, 29: 42},
			"latency_seconds_sum":         {0: 0, 29: 84}, "latency_seconds_count": {0: 0, 29: 42}})
	counted(t, s, "gone", "vllm", "acme/llama-70b", "2026-11-02T10:00:00Z",
		map[string]map[int]int64{"requests/stop": {0: 0, 29: 40}})
	if left := serve(t, s, "2026-11-02"); left.Processes != 1 || left.First.Pod != "gone" {
		t.Errorf("left over: %+v", left)
	}
	rows = storetest.Table(t, s, "inference", metrics.Options{Filter: "currency = USD"})
	if len(rows) != 1 {
		t.Fatalf("%d rows: %v", len(rows), rows)
	}
	// 1,000 prompt tokens less 200 cached ones, and 200 that weigh 4: half and half.
	storetest.Wants(t, rows[0],
		map[string]string{"model": "acme/llama-70b", "server": "vllm", "requests": "40", "failed_requests": "2",
			"inferences": "40", "prompt_tokens": "1000", "cached_prompt_tokens": "200",
			"generation_tokens": "200", "effective_cost": "16.385", "input_cost": "8.1925",
			"output_cost": "8.1925", "split_basis": "weighted", "cost_per_1k_requests": "409.625",
			"cost_per_1k_tokens": "13.654166666667", "cost_per_100k_tokens": "1365.416666666667",
			"cost_per_1m_tokens":       "13654.166666666667",
			"cost_per_1k_input_tokens": "8.1925", "cost_per_1k_output_tokens": "40.9625",
			"latency_p50": "1.15", "latency_p95": "3.985", "latency_p99": "4", "latency_mean": "2",
			"ttft_p95": "", "queue_wait_mean": "", "coverage": "0.033333333333",
			"tokens_per_gpu_second": "0.083333333333", "utilisation": "0.05"})
	// The later hour has no series, so it gets the day's average.
	if rows = storetest.Table(t, s, "inference",
		metrics.Options{Filter: "currency = ''"}); rows[0]["model"] != "acme/llama-70b" || rows[0]["requests"] != "" {
		t.Errorf("the hour without series: %v", rows[0])
	}
	for _, keys := range []string{
		"team", "model,server", "region,instance_type,gpu_model,pricing", "namespace,workload_kind,workload_class",
		"tenant", "environment,cost_center,stage,project,business_unit,model_version,zone,pod",
	} {
		rows = storetest.Table(t, s, "inference", metrics.Options{GroupBy: keys, Filter: "currency = USD"})
		storetest.Wants(t, rows[0], map[string]string{
			"effective_cost": "16.385", "requests": "40", "latency_p50": "1.15", "cost_per_1k_tokens": "13.654166666667",
		})
	}
	if rows = storetest.Table(t, s, "inference", metrics.Options{
		Granularity: "hour", Order: "period_start",
	}); len(rows) != 2 || rows[1]["period_start"] != "2026-11-02T11:00:00Z" {
		t.Errorf("by hour: %v", rows)
	}

	// Days equal the sum of hours; a window that begins within a day reads hours.
	day := storetest.Table(t, s, "inference", metrics.Options{GroupBy: "currency"})
	hours := storetest.Table(t, s, "inference", metrics.Options{GroupBy: "currency", From: "2026-11-02T01:00"})
	for i := range day {
		for column, v := range hours[i] {
			if column != "period_start" && day[i][column] != v {
				t.Errorf("%s of %s: %q by day, %q by hour", column, day[i]["currency"], day[i][column], v)
			}
		}
	}

	// Two models on the replica, one of them of a Triton that counts no tokens: 30 of 70 requests.
	counted(t, s, "train-0", "triton", "embed", "2026-11-02T10:00:00Z", map[string]map[int]int64{
		"requests/success/1": {0: 0, 29: 30}, "inferences/1": {0: 0, 29: 90},
	})
	serve(t, s, "2026-11-02")
	rows = storetest.Table(t, s, "inference", metrics.Options{Filter: "currency = USD and model = embed"})
	storetest.Wants(t, rows[0], map[string]string{
		"requests": "30", "inferences": "90", "effective_cost": "7.022142857142",
		"cost_per_1k_inferences": "78.0238095238", "prompt_tokens": "", "cost_per_1k_tokens": "",
	})
	rows = storetest.Table(t, s, "inference", metrics.Options{GroupBy: "service", Filter: "currency = USD"})
	storetest.Wants(t, rows[0], map[string]string{
		"requests": "70", "inferences": "130", "replicas": "1", "replica_hours": "1",
		"coverage": "0.033333333333", "effective_cost": "16.385",
	})

	// A policy with other weights and names.
	savePolicy(t, s, "version: served-1\nsettings: {output_weight: 8, served_models: [{served: 'acme/*-70b', model: "+
		"'*'}, {served: '*', model: small}]}")
	serve(t, s, "2026-11-02")
	rows = storetest.Table(t, s, "inference", metrics.Options{Filter: "currency = USD and model = llama"})
	storetest.Wants(t, rows[0], map[string]string{
		"effective_cost": "9.362857142858", "input_cost": "3.120952380953", "output_cost": "6.241904761905",
	})
	if rows = storetest.Table(t, s, "inference", metrics.Options{
		Filter: "currency = USD and model = small",
	}); len(rows) != 1 {
		t.Errorf("mapped by the second rule: %v", rows)
	}
}

func savePolicy(t *testing.T, s *store.Store, document string) {
	t.Helper()
	if _, _, err := s.SavePolicy(t.Context(), []byte(document), "a test"); err != nil {
		t.Fatal(err)
	}
}

// Cost in another currency, and that of a closed month, are separate rows without the counts, so that adding rows up
// counts nothing twice.
func TestInferenceInTwoCurrenciesAndClosed(t *testing.T) {
	s := servingLedger(t)
	counted(t, s, "train-0", "vllm", "llama", "2026-11-02T10:00:00Z", map[string]map[int]int64{
		"requests/stop": {0: 0, 29: 40}, "generation_tokens": {0: 0, 29: 400},
	})
	storetest.Run(t, s.Pool, `insert into postings (tenant_id, posting_id, hour, part_id, charge_id, part, usage_id,
		  billing_period, cause, activity, kind, owner_id, method, quality, policy_version,
		currency, state, effective_cost, node_id, slot, workload_id, generation)
		select tenant_id, gen_random_uuid(), hour, part_id, charge_id, part, usage_id, '2026-10', cause, activity,
		  'adjustment', owner_id, method, quality, policy_version, 'EUR', 'final', 0.5, node_id, slot, workload_id, 1
		from postings where cause = 'used'`)
	serve(t, s, "2026-11-02")
	rows := storetest.Table(t, s, "inference", metrics.Options{Order: "currency"})
	if len(rows) != 3 {
		t.Fatalf("%d rows: %v", len(rows), rows)
	}
	storetest.Wants(t, rows[0], map[string]string{
		"currency": "EUR", "state": "final", "effective_cost": "0.5",
		"requests": "", "gpu_hours": "", "cost_per_1k_tokens": "",
	})
	storetest.Wants(t, rows[1], map[string]string{
		"currency": "USD", "state": "open", "effective_cost": "16.385",
		"requests": "40", "gpu_hours": "4", "cost_per_1k_tokens": "40.9625",
	})

	storetest.Run(t, s.Pool, "update postings set state = 'final' where cause = 'lost'") // half of the hour is closed
	serve(t, s, "2026-11-02")
	rows = storetest.Table(t, s, "inference", metrics.Options{Filter: "currency = USD"})
	storetest.Wants(t, rows[0], map[string]string{
		"state": "open", "effective_cost": "16.385", "requests": "40", "cost_per_1k_tokens": "40.9625",
	})
	if rows := storetest.Count(t, s, "select count(*) from serving_hours where currency = 'USD'"); rows != 2 {
		t.Errorf("%d rows of USD, want one per state", rows)
	}
}

// The first increase of a month counts from the last sample of the month before, and changed counters mark the day
// after theirs.
func TestInferenceOverTheEndOfAMonth(t *testing.T) {
	s := servingLedger(t)
	for _, table := range []string{"usage", "posting_rows"} {
		storetest.Run(t, s.Pool, "select ensure_month($1, '2026-12-01')", table)
	}
	storetest.Run(t, s.Pool, "update usage set hour = '2026-12-01T00:00:00Z' where workload_id is not null and hour = "+
		"'2026-11-02T10:00:00Z'")
	storetest.Run(t, s.Pool, "update postings set hour = '2026-12-01T00:00:00Z' where workload_id is not null")
	storetest.Run(t, s.Pool, "update workloads set hold_to = '2026-12-01T01:00:00Z'")
	counted(t, s, "train-0", "vllm", "llama", "2026-11-30T22:00:00Z",
		map[string]map[int]int64{"generation_tokens": {59: 10}})
	counted(t, s, "train-0", "vllm", "llama", "2026-11-30T23:00:00Z",
		map[string]map[int]int64{"generation_tokens": {59: 100}})
	counted(t, s, "train-0", "vllm", "llama", "2026-12-01T00:00:00Z",
		map[string]map[int]int64{"generation_tokens": {0: 130, 30: 20}})
	serve(t, s, "2026-12-01")
	rows := storetest.Table(t, s, "inference", metrics.Options{From: "2026-12-01"})
	if len(rows) != 1 {
		t.Fatalf("%d rows: %v", len(rows), rows)
	}
	storetest.Wants(t, rows[0], map[string]string{
		"generation_tokens": "50", "effective_cost": "16.385", "cost_per_1k_tokens": "327.7",
	})

	storetest.PublishTelemetry(t, s,
		&ledger.Telemetry{Counters: []ledger.CounterHour{{Cluster: "prod", Namespace: "ml", Pod: "train-0", Server: "vllm",
			Model: "llama",
			Hour:  1_796_083_200 - 3600, Counters: storetest.HourCounters(7)}}})
	if n := storetest.Count(t, s, "select count(distinct day) from stale_days where what = 'counters'"); n != 2 {
		t.Errorf("%d days marked, want that of the counters and the next", n)
	}
}
