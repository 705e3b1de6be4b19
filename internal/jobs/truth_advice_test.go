package jobs_test

import (
	"math/big"
	"strconv"
	"strings"
	"testing"
	"time"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/ledger"
	"gpuledger/metrics"
)

// adviceAgrees compares what is recommended, but for sizes, with what follows
// from the simulator's own log: whom it is about, and the money of a month. Use
// that comes in bursts is never advised to be committed.
func adviceAgrees(t *testing.T, w *world, sizes map[fleetsim.SizeKey]*fleetsim.TruthSize) {
	t.Helper()
	truth := map[fleetsim.AdviceKey]*fleetsim.TruthAdvice{}
	from, _ := w.fleet.TruthEvidence()
	demands := w.fleet.TruthDemands(from)
	for k, v := range w.fleet.TruthAdvices(demands, sizes) {
		if k.Model != "" {
			k.Subject = strings.Replace(k.Subject, k.Model, catalogued[k.Model], 1)
		}
		k.Model = catalogued[k.Model]
		truth[k] = v
	}
	kinds := map[string]int{}
	committed := map[string]bool{}
	for _, r := range w.report("recommendations", metrics.Options{}) {
		if r["kind"] == "smaller_slice" || r["kind"] == "smaller_card" { // these have a test of their own
			continue
		}
		k := fleetsim.AdviceKey{Kind: r["kind"], Subject: r["subject"], Model: r["gpu_model"], Currency: r["currency"]}
		want := truth[k]
		if want == nil {
			t.Errorf("advised for no reason: %s %s on %q (%s)", k.Kind, k.Subject, k.Model, r["evidence"])
			continue
		}
		delete(truth, k)
		kinds[k.Kind]++
		near(t, k.Kind+" "+k.Subject+": cost", r["effective_cost"], want.Cost)
		cents(t, k.Kind+" "+k.Subject+": saving per month", r["saving_per_month"], want.Monthly)
		if k.Kind == "commit" {
			committed[k.Subject] = true
		}
		if team := k.Subject[strings.LastIndex(k.Subject, "/")+1:]; (k.Kind == "commit" || k.Kind == "move_to_spot") && (r["team"] != team || r["project"] != "") {
			t.Errorf("%s %s is advised to team %q, project %q", k.Kind, k.Subject, r["team"], r["project"])
		}
	}
	for k := range truth {
		t.Errorf("not advised: %s %s on %q", k.Kind, k.Subject, k.Model)
	}
	for _, kind := range []string{"share_cards", "move_to_spot", "repartition"} { // each has a scene
		if kinds[kind] == 0 {
			t.Errorf("nobody is advised %s: the test says nothing of it", kind)
		}
	}
	t.Logf("advised: %v", kinds)
	bursty := 0
	for k, d := range demands {
		if d.Class != "always_on" && d.OnDemand.Sign() > 0 {
			if bursty++; committed[k.Family+"/"+k.Team] {
				t.Errorf("%s of %s is %s, and a commitment is advised", k.Family, k.Team, d.Class)
			}
		}
	}
	if bursty == 0 {
		t.Error("nobody's use comes in bursts: the test says nothing")
	}
}

// cents compares money that was scaled up from rounded amounts.
func cents(t *testing.T, what, got string, want *big.Rat) {
	t.Helper()
	g, ok := new(big.Rat).SetString(got)
	if !ok || g.Sub(g, want).Abs(g).Cmp(big.NewRat(1, 10_000)) > 0 {
		t.Errorf("%s is %q, want %s", what, got, want.FloatString(6))
	}
}

// savingsAgree decides that what is advised first of each kind was done on the
// first of the two days, and compares what the second is said to have saved.
func savingsAgree(t *testing.T, w *world) {
	t.Helper()
	var first int64
	done := map[string]string{} // id → subject
	kinds := map[string]bool{}
	for _, r := range w.report("recommendations", metrics.Options{}) {
		if r["namespace"] == "" || kinds[r["kind"]] { // of workloads only
			continue
		}
		kinds[r["kind"]] = true
		id, err := ledger.ParseID(r["recommendation_id"])
		if err != nil {
			t.Fatal(err)
		}
		first = instant(t, r["window_start"]) / 86400 * 86400
		if err := w.store.Decide(t.Context(), id, "done", "tried", "ada", time.Unix(first+12*3600, 0)); err != nil {
			t.Fatal(err)
		}
		done[r["recommendation_id"]] = r["subject"]
	}
	if len(done) < 2 {
		t.Fatalf("only %v is advised to workloads", kinds)
	}
	second := first + 86400
	w.change("insert into stale_days (tenant_id, day, what) values (1, to_timestamp(" + strconv.FormatInt(second, 10) + "), 'ledger')")
	w.analyse()
	costs := w.fleet.TruthWorkloadCosts()
	for _, r := range w.report("recommendations", metrics.Options{Filter: "status = done"}) {
		subject := done[r["recommendation_id"]]
		delete(done, r["recommendation_id"])
		since := ratOr0(costs[fleetsim.WorkloadDay{Subject: subject, Day: second, Currency: r["currency"]}])
		before := new(big.Rat).Add(ratOr0(costs[fleetsim.WorkloadDay{Subject: subject, Day: first, Currency: r["currency"]}]), since)
		if r["realised_hours"] != "24" {
			t.Errorf("%s: measured over %s hours, want 24", subject, r["realised_hours"])
		}
		hours := big.NewRat(instant(t, r["window_end"])-instant(t, r["window_start"]), 3600)
		want := new(big.Rat).Mul(new(big.Rat).Quo(before, hours), big.NewRat(24, 1))
		near(t, subject+": realised saving", r["realised_saving"], want.Sub(want, since))
	}
	for _, subject := range done {
		t.Errorf("what was done about %s is forgotten", subject)
	}
}
