package posting_test

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/test/truth"
)

// heldActivityAgrees compares the activity of cards for the pods and attempts that held them with the simulator's
// minutes: their number exactly, each percentile within the width of its bin (docs/figures.md 17.8).
func heldActivityAgrees(t *testing.T, w *world, oracle *truth.Ledger) {
	pods, tries := map[string]truth.HeldMinutes{}, map[string]truth.HeldMinutes{}
	for k, minutes := range oracle.Held {
		addMinutes(pods, fmt.Sprintf("%s %d", k.PodUID, k.Day), minutes)
		if k.RunID != "" {
			addMinutes(tries, fmt.Sprintf("%s/%s/%d %d", k.RunID, k.Task, k.Attempt, k.Day), minutes)
		}
	}
	const percentiles = `, (select sum(e & ((1::bigint << 40) - 1)) from unnest(s.activity_bins) e) as minutes,
		array_to_string(array(select bins_percentile(s.activity_bins, p) from generate_series(1, 100) p), ' ') as ranks`
	compare := func(what string, want map[string]truth.HeldMinutes, rows string) {
		t.Helper()
		got := w.rows("select x.key || '|' || x.minutes || '|' || x.ranks from (" + rows + ") x")
		if len(want) < 50 || len(got) != len(want) {
			t.Errorf("%s: %d days, want %d (and 50 at least)", what, len(got), len(want))
		}
		wrong := 0
		for _, text := range got {
			row := strings.Split(strings.Trim(text, `()"`), "|")
			minutes := want[row[0]]
			if text := differs(minutes, row[1], row[2]); text != "" {
				if wrong++; wrong <= 5 {
					t.Errorf("%s %s: %s", what, row[0], text)
				}
			}
		}
		if wrong > 5 {
			t.Errorf("%s: %d differ", what, wrong)
		}
	}
	compare("pod", pods, `select w.uid || ' ' || extract(epoch from s.at)::bigint as key`+percentiles+`
		from star.workload_signal_days s join workloads w using (tenant_id, workload_id)`)
	heldColumns(t, w, oracle)
	compare("attempt", tries, `select s.run_id || '/' || a.task || '/' || a.attempt || ' ' || extract(epoch from s.at)::bigint as key`+percentiles+`
		from star.run_signal_days s join attempts a using (tenant_id, attempt_id)`)
}

// heldColumns compares the columns of datasets: of all time, of a window and of groups.
func heldColumns(t *testing.T, w *world, oracle *truth.Ledger) {
	t.Helper()
	second := period.FromTime(w.files.From).Floor(period.Day) + period.Day
	services := map[string]string{}
	for _, row := range w.rows("select uid || '|' || cluster || '/' || namespace || '/' || service from workloads " +
		"where class = 'service'") {
		uid, service, _ := strings.Cut(strings.Trim(row, `()"`), "|")
		services[uid] = service
	}
	ofService := func(row map[string]string) string {
		return row["cluster"] + "/" + row["namespace"] + "/" + row["service"]
	}
	teams := map[string]string{}
	for i := range oracle.Runs {
		teams[oracle.Runs[i].ID] = oracle.Runs[i].Team
	}
	for _, c := range []struct {
		dataset string
		options metrics.Options
		key     func(row map[string]string) string
		of      func(k truth.HeldKey) string // empty: no row
	}{
		{
			"runs", metrics.Options{}, func(row map[string]string) string { return row["run_id"] },
			func(k truth.HeldKey) string { return k.RunID },
		},
		{
			"runs", metrics.Options{From: second.String()}, func(row map[string]string) string { return row["run_id"] },
			func(k truth.HeldKey) string { return k.RunID },
		},
		{
			"runs", metrics.Options{GroupBy: "team"}, func(row map[string]string) string { return row["team"] },
			func(k truth.HeldKey) string { return teams[k.RunID] },
		},
		{"attempts", metrics.Options{},
			func(row map[string]string) string { return row["run_id"] + "/" + row["task"] + "/" + row["attempt"] },
			func(k truth.HeldKey) string {
				if k.RunID == "" {
					return ""
				}
				return fmt.Sprintf("%s/%s/%d", k.RunID, k.Task, k.Attempt)
			}},
		{
			"workloads", metrics.Options{}, func(row map[string]string) string { return row["uid"] },
			func(k truth.HeldKey) string { return k.PodUID },
		},
		{"workloads", metrics.Options{From: second.String()}, func(row map[string]string) string { return row["uid"] },
			func(k truth.HeldKey) string {
				if period.Second(k.Day) < second {
					return ""
				}
				return k.PodUID
			}},
		{"inference", metrics.Options{GroupBy: "cluster,namespace,service", Filter: "workload_class = service"}, ofService,
			func(k truth.HeldKey) string { return services[k.PodUID] }},
		{"inference", metrics.Options{GroupBy: "cluster,namespace,service", Filter: "workload_class = service",
			Granularity: "day"},
			func(row map[string]string) string { return row["period_start"] + ofService(row) },
			func(k truth.HeldKey) string {
				if services[k.PodUID] == "" {
					return ""
				}
				return period.Second(k.Day).String() + services[k.PodUID]
			}},
	} {
		want := map[string]truth.HeldMinutes{}
		for k, minutes := range oracle.Held {
			if key := c.of(k); key != "" {
				addMinutes(want, key, minutes)
			}
		}
		known, unknown := 0, 0
		for _, row := range w.report(c.dataset, c.options) {
			minutes := want[c.key(row)]
			for column, percent := range map[string]int64{"activity_p50": 50, "activity_p95": 95} {
				value, ok := rank(minutes, percent)
				if text := row[column]; text == "" || !ok {
					if unknown++; (text == "") == ok {
						t.Errorf("%s %+v, %s: %s is %q, want %d ppm (%v)", c.dataset, c.options, c.key(row), column, text, value, ok)
					}
					continue
				}
				got, ok := new(big.Rat).SetString(row[column])
				if !ok {
					t.Fatalf("%s is %q", column, row[column])
				}
				known++
				off := got.Sub(got, big.NewRat(value, 1_000_000))
				if off.Abs(off).Cmp(big.NewRat(value, 125_000_000)) > 0 {
					t.Errorf("%s %+v, %s: %s is %s, want %d ppm", c.dataset, c.options, c.key(row), column, row[column], value)
				}
			}
		}
		if known < 10 || unknown == 0 && c.dataset == "workloads" {
			t.Errorf("%s %+v: %d known, %d unknown", c.dataset, c.options, known, unknown)
		}
	}
}

func addMinutes(to map[string]truth.HeldMinutes, key string, minutes truth.HeldMinutes) {
	if to[key] == nil {
		to[key] = truth.HeldMinutes{}
	}
	for ppm, n := range minutes {
		to[key][ppm] += n
	}
}

// rank is a percentile of minutes by nearest rank.
func rank(minutes truth.HeldMinutes, percent int64) (int64, bool) {
	var n, upto int64
	for _, c := range minutes {
		n += c
	}
	for _, v := range slices.Sorted(maps.Keys(minutes)) {
		if upto += minutes[v]; upto*100 >= n*percent {
			return v, true
		}
	}
	return 0, false
}

// differs describes how percentiles 1 to 100 of a row differ from those of the minutes.
func differs(minutes truth.HeldMinutes, count, ranks string) string {
	var n int64
	for _, c := range minutes {
		n += c
	}
	if strconv.FormatInt(n, 10) != count {
		return fmt.Sprintf("%s minutes, want %d", count, n)
	}
	for i, text := range strings.Fields(ranks) {
		got, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return err.Error()
		}
		want, _ := rank(minutes, int64(i+1))
		if off := got - want; 125*max(off, -off) > want {
			return fmt.Sprintf("p%d is %d, want %d", i+1, got, want)
		}
	}
	return ""
}

// Stored counts of days whose minutes are no longer kept stay when the days are rolled up again, and verify agrees.
func TestHeldActivityOutlivesItsMinutes(t *testing.T) {
	t.Parallel()
	w := everywhere(t)
	if _, err := w.store.Summarise(t.Context(), 4_000_000_000); err != nil {
		t.Fatal(err)
	}
	w.analyse()
	counted := func() []string {
		return w.rows("select 'workload', s.at, s.workload_id::text as of, s.activity_bins from " +
			"star.workload_signal_days s union all " +
			"select 'run', s.at, s.run_id || coalesce(s.attempt_id::text, ''), s.activity_bins from star.run_signal_days s " +
			"union all " +
			"select 'replica', s.hour, concat(s.workload_id, ' ', s.model, ' ', s.server, ' ', s.served_tenant, ' ', " +
			"s.model_version), s.activity_bins from serving_hours s where s.activity_bins is not null")
	}
	before := counted()
	parts := w.rows("select 1 from spans where workload_id is not null and extract(epoch from from_at)::bigint % 3600 " +
		"<> 0 limit 1")
	several := w.rows("select 1 from serving_hours where activity_bins is not null group by workload_id, hour having " +
		"count(distinct model) > 1 limit 1")
	if len(before) == 0 || len(parts) == 0 || len(several) == 0 {
		t.Fatalf("%d rows, holds that begin within an hour: %d, replicas of several models: %d", len(before), len(parts),
			len(several))
	}
	w.change(`truncate sample_hours; insert into sample_retention select 1, max(hour) + interval '1 day', now() from sample_summaries;
		insert into analysis_days (tenant_id, step, day) select r.tenant_id, s.step, r.day from rolled_days r, unnest('{costs,serving}'::text[]) s (step)`)
	w.analyse()
	equal(t, "without minutes", before, counted())
	w.mustVerify("without minutes")
}
