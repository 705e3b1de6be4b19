package figures_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"gpuledger/internal/analysis"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/store/figures"
	"gpuledger/metrics"
	"gpuledger/metrics/advice"
	"gpuledger/metrics/waste"
	"gpuledger/test/storetest"
)

func TestDemandOfADay(t *testing.T) {
	s := storetest.SmallLedger(t)
	ctx := t.Context()
	storetest.Run(t, s.Pool, "insert into devices select 1, 'prod', 'node-1', 'GPU-1', 0, 'H100', false, "+
		"'2026-11-02T10:00:00Z', '2026-11-02T10:00:00Z', '2026-11-02T10:00:00Z', '2026-11-02T10:59:00Z'")
	storetest.Run(t, s.Pool, "insert into stale_hours (tenant_id, hour) values (1, '2026-11-02T10:00:00Z')")
	if _, err := s.Summarise(ctx, storetest.AdviceDay+3*period.Day); err != nil {
		t.Fatal(err)
	}
	if n := storetest.One[int](t, s, "select count(*) from sample_summaries"); n != 1 {
		t.Fatalf("%d summaries", n)
	}
	for range 2 { // the second pass gives the same
		rollUp(t, s, storetest.AdviceDay.Time())
	}
	var hours []analysis.HeldHour
	if err := s.InTx(ctx, "read", func(tx pgx.Tx) error {
		for h, err := range figures.HeldHours(ctx, tx, storetest.AdviceDay) {
			if err != nil {
				return err
			}
			hours = append(hours, *h)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(hours) != 3 || hours[0].Key.Name != "train" || hours[0].Key.RunKind != "training" ||
		hours[0].Key.PriceClass != "spot" || hours[0].Provider != "aws" {
		t.Fatalf("held hours: %+v", hours)
	}
	if !slices.ContainsFunc(hours, func(h analysis.HeldHour) bool { return h.Activity.Count() == 40 }) {
		t.Error("no hour has the activity of its slice")
	}
	window, err := s.DemandWindow(ctx, 28)
	if err != nil || window.From != storetest.AdviceDay+10*period.Hour || window.To != storetest.AdviceDay+12*period.Hour {
		t.Errorf("window %v, %v", window, err)
	}
	sums, err := s.DemandSums(ctx, window)
	if err != nil || len(sums) != 1 {
		t.Fatalf("%d sums, %v", len(sums), err)
	}
	if got := sums[0]; got.Cost.String() != "16.385" || got.Currency != "USD" || got.GPUHours.String() != "5" ||
		got.State != ledger.Open || got.Held[storetest.AdviceDay] != 1<<10|1<<11 {
		t.Errorf("held in hours %b; costs %s %s for %s GPU-hours, %s", got.Held[storetest.AdviceDay], got.Cost, got.Currency,
			got.GPUHours, got.State)
	}
	if isolated, err := s.Isolated(ctx, window); err != nil || len(isolated) != 0 {
		t.Errorf("nobody asks for isolation: %v, %v", isolated, err)
	}
	storetest.Run(t, s.Pool, `update workloads set hold_from = '2026-11-02T10:00:00Z', hold_to = '2026-11-02T12:00:00Z'`)
	storetest.Run(t, s.Pool, `insert into workload_facts (tenant_id, cluster, uid, namespace, name, node, labels)
		select tenant_id, cluster, uid, namespace, name, '', '{"gpuledger.io/isolation": "strict", "isolation-zone": "a"}'
		from workloads`)
	isolated, err := s.Isolated(ctx, window)
	if err != nil || !isolated[advice.Subject{Cluster: "prod", Namespace: "ml", Kind: "PyTorchJob", Name: "train"}] ||
		len(isolated) != 1 {
		t.Errorf("isolated: %v, %v", isolated, err)
	}
	work, err := s.Interruptibles(ctx, window)
	if err != nil || len(work) != 0 {
		t.Errorf("nothing ran on demand: %v, %v", work, err)
	}
	storetest.Run(t, s.Pool, "update star.demand_cost_days set price_class = 'on_demand'")
	storetest.Run(t, s.Pool, "insert into checkpoint_facts (tenant_id, cluster, namespace, pod, at) select 1, 'prod', "+
		"'ml', 'train-0', '2026-11-02T10:00:00Z'::timestamptz + i * interval '10 min' from generate_series(0, 3) i")
	storetest.Run(t, s.Pool, "update workloads set hold_from = '2026-11-02T10:00:00Z', hold_to = '2026-11-02T12:00:00Z'")
	storetest.Run(t, s.Pool, "update nodes set appeared_at = '2026-11-02T10:00:00Z', gone_at = '2026-11-02T12:00:00Z'")
	work, err = s.Interruptibles(ctx, window)
	if err != nil || len(work) != 1 {
		t.Fatalf("%v, %v", work, err)
	}
	if w := work[0]; w.CheckpointEvery != 600 || w.Fleet.Cost.String() != "16.385" || w.Cost.String() != "16.385" ||
		w.Subject.Name != "research" {
		t.Errorf("%+v", w)
	}
}

// sevenDays is a life of seven days with 40 hours of presence.
func sevenDays() advice.Life {
	return advice.Life{
		Interval: period.Interval{From: storetest.AdviceDay - 6*period.Day, To: storetest.AdviceDay + period.Day},
		Seen:     40, Days: 7,
	}
}

func recommended(saving string) []advice.Recommendation {
	return []advice.Recommendation{{Kind: advice.SmallerSlice,
		Subject: advice.Subject{Cluster: "prod", Namespace: "ml", Kind: "PyTorchJob", Name: "train"}, GPUModel: "H100",
		OwnerID: storetest.ID("owner", "research"),
		Window:  period.Interval{From: storetest.AdviceDay - 6*period.Day, To: storetest.AdviceDay + period.Day},
		Life:    sevenDays(), Proposal: "Request 1g.10gb.",
		Facts: []advice.Fact{{Name: "memory used, P99", Value: "5.0", Unit: "GiB", Limit: "6.0 GiB with headroom"}},
		Cost:  money.MustParse("48"), Saving: money.MustParse(saving),
		Currency: "USD", State: ledger.Open, Confidence: advice.Low}}
}

func TestRecommendationsAndTheirSavings(t *testing.T) {
	s := storetest.SmallLedger(t)
	ctx := t.Context()
	day := period.Interval{From: storetest.AdviceDay, To: storetest.AdviceDay + period.Day}
	rollUp(t, s, storetest.AdviceDay.Time())
	save := func(window period.Interval, list []advice.Recommendation) {
		t.Helper()
		if _, err := s.SaveRecommendations(ctx, window, list); err != nil {
			t.Fatal(err)
		}
	}
	list := recommended("168")
	save(day, list)
	row := storetest.Table(t, s, "recommendations", metrics.Options{})[0]
	storetest.Wants(t, row, map[string]string{"kind": "smaller_slice", "subject": "prod/ml/PyTorchJob/train",
		"team": "research", "saving": "168", "saving_per_month": "730", "status": "open", "holds": "true",
		"effort": "medium", "risk": "medium", "observed_hours": "40", "lifetime_hours": "168",
		"evidence": "memory used, P99: 5.0 GiB (6.0 GiB with headroom); seen: 40 of 168 hours (since it first " +
			"appeared); days observed: 7 (at least 3; 7 for the fleet)", "realised_saving": ""})
	for _, r := range storetest.Table(t, s, "recommendations", metrics.Options{GroupBy: "team"}) {
		storetest.Wants(t, r, map[string]string{
			"team": "research", "recommendations": "1", "saving_per_month": "730", "currency": "USD",
		})
	}

	rid := list[0].ID()
	at := storetest.AdviceDay.Time().Add(12 * time.Hour)
	if err := s.Decide(ctx, rid, "maybe", "", "ada", at); !isRecommendationError(err) {
		t.Errorf("an unknown status: %v", err)
	}
	if err := s.Decide(ctx, storetest.ID("none"), "done", "", "ada", at); !isRecommendationError(err) {
		t.Errorf("an unknown id: %v", err)
	}
	if err := s.Decide(ctx, rid, "done", "cut the card", "ada", at); err != nil {
		t.Fatal(err)
	}
	// 16.385 in the 7 days before; 4 on the second day after.
	storetest.Run(t, s.Pool, "insert into star.demand_cost_days select tenant_id, at + interval '2 days', cluster, "+
		"namespace, kind, name, gpu_model, mig_profile, price_class, instance_type, owner_id, class, run_kind, currency, "+
		"state, 4 from star.demand_cost_days")
	// no longer advised, but kept because it was decided
	save(period.Interval{From: storetest.AdviceDay, To: storetest.AdviceDay + 3*period.Day}, nil)
	row = storetest.Table(t, s, "recommendations", metrics.Options{})[0]
	storetest.Wants(t, row, map[string]string{
		"status": "done", "holds": "false", "note": "cut the card", "decided_by": "ada",
		"realised_hours": "48", "realised_saving": "0.681428571429",
	})
	entries := storetest.Table(t, s, "audit", metrics.Options{})
	if newest := entries[0]["detail"]; !strings.Contains(newest, `"from":"open"`) ||
		!strings.Contains(newest, `"to":"done"`) {
		t.Errorf("audited: %v", entries)
	}

	other := recommended("1")
	other[0].Subject.Name, other[0].Life.Days = "other", 2
	save(day, other)
	// the savings per month are unknown
	for _, r := range storetest.Table(t, s, "recommendations", metrics.Options{Filter: "workload = other"}) {
		storetest.Wants(t, r, map[string]string{"saving": "1", "saving_per_month": "", "open_saving_per_month": ""})
	}
	save(day, nil) // undecided, so it goes with its evidence
	if rows := storetest.Table(t, s, "recommendations", metrics.Options{}); len(rows) != 1 {
		t.Errorf("%d rows: %v", len(rows), rows)
	}
}

func isRecommendationError(err error) bool {
	_, ok := errors.AsType[*figures.RecommendationError](err)
	return ok
}

func TestFindingsForAdvice(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, `insert into findings (tenant_id, finding_id, kind, subject, scope, subject_id, from_at,
		  to_at, open, risk, cluster, workload_kind, workload, namespace, run_id, quality, evidence, first_seen, last_seen)
		select 1, gen_random_uuid(), k.kind, k.subject, 'holder', gen_random_uuid(), '2026-11-02T10:00:00Z',
		  '2026-11-02T12:00:00Z', true, false, 'prod', k.root, k.workload, k.namespace, k.run, 'measured', '[]', now(), now()
		from (values ('hoarding', 'prod/ml/train-0', 'PyTorchJob', 'train', 'ml', 'prod/ml/train'),
		    ('no_checkpoint', 'prod/ml/train', null, null, null, 'prod/ml/train'),
		    ('orphaned_node', 'prod/node-1', null, null, null, null))
		  k (kind, subject, root, workload, namespace, run)`)
	storetest.Run(t, s.Pool, "insert into finding_costs (tenant_id, finding_id, currency, state, effective_cost) "+
		"select 1, finding_id, 'USD', 'open', 3.5 from findings where kind = 'hoarding'")
	card := waste.Finding{Open: true, Kind: waste.MixedOnSharedCard, Subject: "prod/node-1/GPU-1",
		Key:  waste.Key{Scope: waste.OfDevice, Subject: "prod/node-1/GPU-1"},
		From: storetest.AdviceDay + 10*period.Hour, To: storetest.AdviceDay + 12*period.Hour,
		Where: waste.Where{Cluster: "prod", Workload: "of-one-name", RunID: "prod/ml/train"}}
	if err := s.SaveFindings(t.Context(), nil, []waste.Finding{card}, storetest.AdviceDay+12*period.Hour); err != nil {
		t.Fatal(err)
	}
	list, err := s.AdviceFindings(t.Context(), period.Interval{
		From: storetest.AdviceDay, To: storetest.AdviceDay + period.Day,
	})
	if err != nil || len(list) != 4 {
		t.Fatalf("%v, %v", list, err)
	}
	want := []advice.Subject{
		{Cluster: "prod", Namespace: "ml", Kind: "PyTorchJob", Name: "train"},
		{Cluster: "prod", Kind: "Device", Name: "prod/node-1/GPU-1"},
		{Cluster: "prod", Kind: "Run", Name: "prod/ml/train"}, {Cluster: "prod", Kind: "Node", Name: "prod/node-1"},
	}
	for i, f := range list {
		if f.Subject != want[i] {
			t.Errorf("%s is about %v; want %v", f.Kind, f.Subject, want[i])
		}
	}
	if list[0].Cost.String() != "3.5" || !list[0].Open ||
		list[0].There.In(period.Interval{From: storetest.AdviceDay, To: storetest.AdviceDay + period.Day}).Seen == 0 {
		t.Errorf("%+v", list[0])
	}
	// Each finding leads to its advice, for every kind of subject.
	day := period.Interval{From: storetest.AdviceDay, To: storetest.AdviceDay + period.Day}
	advised := map[string]string{}
	for _, r := range advice.FromFindings(list, day) {
		if _, err := s.SaveRecommendations(t.Context(), day, append(recommended("1"), r)); err != nil {
			t.Fatal(err)
		}
		rows := storetest.Table(t, s, "waste", metrics.Options{
			Filter: "recommendation_id = " + strings.ReplaceAll(r.ID().String(), "-", ""),
		})
		if len(rows) == 1 {
			advised[rows[0]["kind"]] = r.Kind
		}
	}
	if want := map[string]string{
		"hoarding": advice.StopIdle, "no_checkpoint": advice.AddCheckpoints,
		"orphaned_node": advice.StopIdle, "mixed_on_shared_card": advice.SeparateWork,
	}; !maps.Equal(advised, want) {
		t.Errorf("advised: %v, want %v", advised, want)
	}
	// Only the part of a finding inside the window is evidence.
	list, err = s.AdviceFindings(t.Context(), period.Interval{
		From: storetest.AdviceDay + 11*period.Hour, To: storetest.AdviceDay + period.Day,
	})
	if err != nil || len(list) != 4 || list[0].Cost.String() != "1.75" || list[1].Cost.Sign() != 0 {
		t.Errorf("half of it: %+v, %v", list, err)
	}
}

func TestKindsOfAdviceAreThoseOfTheDataset(t *testing.T) {
	d, err := metrics.LookupDataset("recommendations")
	if err != nil {
		t.Fatal(err)
	}
	kind, _ := d.Column("kind")
	var want []string
	for _, k := range advice.Kinds {
		want = append(want, k.Name)
	}
	if !slices.Equal(kind.Values, want) {
		t.Errorf("the dataset has %v; advice %v", kind.Values, want)
	}
}

func TestSavingsOnTheSameTimeCountOnce(t *testing.T) {
	s := storetest.SmallLedger(t)
	ctx := t.Context()
	day := period.Interval{From: storetest.AdviceDay, To: storetest.AdviceDay + period.Day}
	list := append(recommended("168"), recommended("84")...)
	list[0].Claims, list[1].Claims = []advice.Claim{"train|working", "train|idle"}, []advice.Claim{"train|idle"}
	list[1].Kind = advice.StopIdle
	if _, err := s.SaveRecommendations(ctx, day, list); err != nil {
		t.Fatal(err)
	}
	check := func(when string, total string, overlaps map[string]string) {
		t.Helper()
		rows := storetest.Table(t, s, "recommendations", metrics.Options{})
		if got := storetest.SumColumn(t, rows, "open_saving_per_month"); got != total {
			t.Errorf("%s: %s a month in all; want %s", when, got, total)
		}
		for _, r := range rows {
			if got := r["overlaps_with"]; strings.ReplaceAll(got, "-", "") != overlaps[r["kind"]] {
				t.Errorf("%s: %s overlaps with %q; want %q", when, r["kind"], got, overlaps[r["kind"]])
			}
		}
		for _, column := range []string{"team", "cluster", "gpu_model"} {
			groups := storetest.Table(t, s, "recommendations", metrics.Options{
				GroupBy: column, Filter: "status in (open, accepted)",
			})
			if len(groups) != 1 || groups[0]["saving_per_month"] != total {
				t.Errorf("%s, by %s: %v; want %s", when, column, groups, total)
			}
		}
	}
	larger := strings.ReplaceAll(list[0].ID().String(), "-", "")
	check("at first", "730", map[string]string{"stop_idle": larger})
	if err := s.Decide(ctx, list[0].ID(), "dismissed", "", "ada", storetest.AdviceDay.Time()); err != nil {
		t.Fatal(err)
	}
	check("without the larger", "365", nil)
}

func TestLevelsOfMachines(t *testing.T) {
	s := storetest.Bought(t)
	window := period.Interval{From: storetest.AdviceDay, To: storetest.AdviceDay + period.Day}
	read := func() []analysis.LevelHour {
		list, err := s.Levels(t.Context(), window)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	list := read()
	hours := map[period.Second]money.Amount{}
	for _, h := range list {
		if h.Provider != "aws" || h.InstanceType != "p5.48xlarge" || h.Family != "p5" || h.Region != "us-east-1" ||
			h.Currency != "USD" || h.GPUs != 8 {
			t.Errorf("%+v", h)
		}
		if h.Use == "on_demand" && h.Capacity != nil {
			hours[h.Hour] = hours[h.Hour].Add(*h.Capacity)
		}
	}
	if len(hours) == 0 || !slices.ContainsFunc(list, func(h analysis.LevelHour) bool {
		return h.Work == "training" && h.GPUHours != nil && h.GPUHours.Sign() > 0
	}) ||
		!slices.ContainsFunc(list, func(h analysis.LevelHour) bool { return h.Use == "covered" }) {
		t.Errorf("levels: %+v", list)
	}
	storetest.RollNovember(t, s)
	if diff := cmp.Diff(list, read(), cmp.Comparer(func(a, b money.Amount) bool { return a.Cmp(b) == 0 })); diff != "" {
		t.Errorf("of days (- ledger, + days):\n%s", diff)
	}
	families, err := s.FamilyDiscounts(t.Context(), window)
	if err != nil || !slices.ContainsFunc(families, func(f analysis.FamilyCost) bool {
		return f.Family == "p5" && f.Paid != nil && f.Paid.String() == "10" && f.Worth != nil && f.Worth.String() == "24"
	}) {
		t.Errorf("%+v, %v", families, err)
	}
	storetest.Run(t, s.Pool, "insert into rates (tenant_id, rate_id, instance_type, region, price_class, currency, "+
		"hourly, valid_from, valid_to, source) select 1, gen_random_uuid(), 'p5.48xlarge', 'us-east-1', c, 'USD', 7, "+
		"'2026-01-01', '2026-12-01', 'list' from unnest('{on_demand,reserved,spot}'::text[]) c")
	if rates, err := s.CommittedRates(t.Context(), window.To); err != nil || len(rates) != 2 {
		t.Errorf("rates: %v, %v", rates, err)
	}
	if pools, err := s.CardPools(t.Context(), window); err != nil || len(pools) != 0 {
		t.Errorf("cards without MIG: %v, %v", pools, err)
	}
}
