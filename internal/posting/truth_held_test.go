package posting_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gpuledger/internal/fleetsim/truth"
)

// heldActivityAgrees compares how active cards were for the pods and attempts that held
// them with the minutes that the simulator knows: their number exactly, each percentile
// within the width of its bin (docs/figures.md 17.8).
func heldActivityAgrees(t *testing.T, w *world, oracle *truth.Ledger) {
	pods, tries := map[string]truth.HeldMinutes{}, map[string]truth.HeldMinutes{}
	add := func(to map[string]truth.HeldMinutes, key string, minutes truth.HeldMinutes) {
		if to[key] == nil {
			to[key] = truth.HeldMinutes{}
		}
		for ppm, n := range minutes {
			to[key][ppm] += n
		}
	}
	for k, minutes := range oracle.Held {
		add(pods, fmt.Sprintf("%s %d", k.PodUID, k.Day), minutes)
		if k.RunID != "" {
			add(tries, fmt.Sprintf("%s/%s/%d %d", k.RunID, k.Task, k.Attempt, k.Day), minutes)
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
	compare("attempt", tries, `select s.run_id || '/' || a.task || '/' || a.attempt || ' ' || extract(epoch from s.at)::bigint as key`+percentiles+`
		from star.run_signal_days s join attempts a using (tenant_id, attempt_id)`)
}

// differs says how percentiles 1 to 100 of a row are not those of the minutes.
func differs(minutes truth.HeldMinutes, count, ranks string) string {
	var n int64
	for _, c := range minutes {
		n += c
	}
	if strconv.FormatInt(n, 10) != count {
		return fmt.Sprintf("%s minutes, want %d", count, n)
	}
	values := slices.Sorted(maps.Keys(minutes))
	for i, text := range strings.Fields(ranks) {
		got, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return err.Error()
		}
		percent, upto := int64(i+1), int64(0)
		for _, v := range values {
			if upto += minutes[v]; upto*100 >= n*percent {
				if off := got - v; 125*max(off, -off) > v {
					return fmt.Sprintf("p%d is %d, want %d", percent, got, v)
				}
				break
			}
		}
	}
	return ""
}

// Of days whose minutes are no longer kept, what was counted stays when they are added
// up again, and verify agrees.
func TestHeldActivityOutlivesItsMinutes(t *testing.T) {
	t.Parallel()
	w := everywhere(t)
	if _, err := w.store.Summarise(t.Context(), 4_000_000_000); err != nil {
		t.Fatal(err)
	}
	w.analyse()
	counted := func() []string {
		return w.rows("select 'workload', s.at, s.workload_id::text as of, s.activity_bins from star.workload_signal_days s union all " +
			"select 'run', s.at, s.run_id || coalesce(s.attempt_id::text, ''), s.activity_bins from star.run_signal_days s")
	}
	before := counted()
	parts := w.rows("select 1 from spans where workload_id is not null and extract(epoch from from_at)::bigint % 3600 <> 0 limit 1")
	if len(before) == 0 || len(parts) == 0 {
		t.Fatalf("%d rows, holds that begin within an hour: %d", len(before), len(parts))
	}
	w.change(`truncate sample_hours; insert into sample_retention select 1, max(hour) + interval '1 day', now() from sample_summaries;
		insert into analysis_days (tenant_id, step, day) select tenant_id, 'costs', day from rolled_days`)
	w.analyse()
	equal(t, "without minutes", before, counted())
	w.mustVerify("without minutes")
}
