package posting_test

import (
	"math/big"
	"strconv"
	"strings"
	"testing"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/test/truth"
)

// adviceAgrees compares recommendations, except sizes, with those that follow from the simulator's own log: their
// subjects, and the money of a month.
func adviceAgrees(t *testing.T, w *world, sizes map[truth.SizeKey]*truth.Size) {
	t.Helper()
	oracle := map[truth.AdviceKey]*truth.Advice{}
	from, _ := truth.Evidence(w.fleet)
	levelsAgree(t, w, from)
	demands := truth.Demands(w.fleet, from)
	for k, v := range truth.Advices(w.fleet, demands, sizes) {
		if k.Model != "" {
			k.Subject = strings.Replace(k.Subject, k.Model, catalogued[k.Model], 1)
		}
		k.Model = catalogued[k.Model]
		oracle[k] = v
	}
	kinds := map[string]int{}
	for _, r := range w.report("recommendations", metrics.Options{}) {
		if r["kind"] == "smaller_slice" || r["kind"] == "smaller_card" { // a separate test covers these
			continue
		}
		k := truth.AdviceKey{Kind: r["kind"], Subject: r["subject"], Model: r["gpu_model"], Currency: r["currency"]}
		want := oracle[k]
		if want == nil {
			t.Errorf("advised for no reason: %s %s on %q (%s)", k.Kind, k.Subject, k.Model, r["evidence"])
			continue
		}
		delete(oracle, k)
		kinds[k.Kind]++
		switch {
		case k.Currency == "": // from findings without money
			if want.Cost.Sign() != 0 || r["effective_cost"] != "" || r["saving"] != "" {
				t.Errorf("%s %s: cost %q, saving %q in no currency, want none; the truth has %s", k.Kind, k.Subject,
					r["effective_cost"], r["saving"], want.Cost)
			}
			continue
		case k.Kind != "commit": // it has a separate window
			cents(t, k.Kind+" "+k.Subject+": saving", r["saving"], want.Saving)
		}
		if r["observed_hours"] != strconv.Itoa(len(want.There)) || r["lifetime_hours"] != strconv.FormatInt(want.Hours, 10) {
			t.Errorf("%s %s: seen in %s of %s hours, want %d of %d", k.Kind, k.Subject, r["observed_hours"], r["lifetime_hours"],
				len(want.There), want.Hours)
		}
		exact := near
		if k.Kind == "commit" { // its machines are rounded down from GPU-hours, which are rounded themselves
			exact = cents
		}
		exact(t, k.Kind+" "+k.Subject+": cost", r["effective_cost"], want.Cost)
		aMonth(t, k.Kind+" "+k.Subject+": saving per month", r["saving_per_month"], want.Monthly)
		if k.Kind == "commit" {
			if r["quantity"] != strconv.FormatInt(want.Machines, 10) {
				t.Errorf("%s: %s machines to commit to, want %d", k.Subject, r["quantity"], want.Machines)
			}
			if want.Monthly == nil {
				want.Stranded = nil
			}
			aMonth(t, k.Subject+": stranded with a fifth less", r["stranded_if_less_per_month"], want.Stranded)
		}
		if team := k.Subject[strings.LastIndex(k.Subject, "/")+1:]; k.Kind == "move_to_spot" &&
			(r["team"] != team || r["project"] != "") {
			t.Errorf("%s %s is advised to team %q, project %q", k.Kind, k.Subject, r["team"], r["project"])
		}
	}
	for k := range oracle {
		t.Errorf("not advised: %s %s on %q", k.Kind, k.Subject, k.Model)
	}
	for _, kind := range []string{"share_cards", "move_to_spot", "repartition"} { // each has a scene
		if kinds[kind] == 0 {
			t.Errorf("nobody is advised %s: the test says nothing of it", kind)
		}
	}
	t.Logf("advised: %v", kinds)
}

// levelsAgree compares the input of advice on commitments: on-demand machines hour by hour, and those held by each
// class of work.
func levelsAgree(t *testing.T, w *world, from int64) {
	t.Helper()
	oracle := truth.Levels(w.fleet, from)
	hours, err := w.store.Levels(t.Context(), period.Interval{From: period.Second(from), To: 4_000_000_000})
	if err != nil {
		t.Fatal(err)
	}
	got := map[truth.LevelKey]map[int64]*big.Rat{}
	add := func(k truth.LevelKey, hour int64, gpuHours *money.Amount, gpus int64) {
		if gpuHours == nil || gpuHours.Sign() == 0 {
			return
		}
		if got[k] == nil {
			got[k] = map[int64]*big.Rat{}
		}
		got[k][hour] = new(big.Rat).Add(ratOr0(got[k][hour]), new(big.Rat).Quo(gpuHours.Rat(), big.NewRat(gpus, 1)))
	}
	for _, h := range hours {
		if h.Use != "on_demand" || int64(h.Hour) < from {
			continue
		}
		k := truth.LevelKey{Provider: h.Provider, Type: h.InstanceType, Region: h.Region, Currency: h.Currency}
		add(k, int64(h.Hour), h.Capacity, h.GPUs)
		if k.Work = h.Work; k.Work == "training" || k.Work == "serving" {
			add(k, int64(h.Hour), h.GPUHours, h.GPUs)
		}
	}
	compared := map[string]int{}
	for k, byHour := range oracle {
		for hour, want := range byHour {
			if want.Sign() > 0 {
				compared[k.Work]++
			}
			if d := new(big.Rat).Sub(ratOr0(got[k][hour]), want); d.Abs(d).Cmp(big.NewRat(1, 1_000_000)) > 0 {
				t.Errorf("machines %v at %s: %s, want %s", k, period.Second(hour), ratOr0(got[k][hour]).FloatString(6),
					want.FloatString(6))
			}
			delete(got[k], hour)
		}
		for hour := range got[k] {
			t.Errorf("machines too many: %v at %s", k, period.Second(hour))
		}
		delete(got, k)
	}
	for k := range got {
		t.Errorf("machines too many: %v", k)
	}
	for _, work := range []string{"", "training", "serving"} {
		if compared[work] == 0 {
			t.Errorf("nothing was held for %q: the test says nothing", work)
		}
	}
	t.Logf("hours of machines on demand: %v", compared)
}

// cents compares money that was scaled up from rounded amounts.
func cents(t *testing.T, what, got string, want *big.Rat) {
	t.Helper()
	g, ok := new(big.Rat).SetString(got)
	if !ok || g.Sub(g, want).Abs(g).Cmp(big.NewRat(1, 10_000)) > 0 {
		t.Errorf("%s is %q, want %s", what, got, want.FloatString(6))
	}
}

// aMonth compares money per month; it is unknown for a few days of data.
func aMonth(t *testing.T, what, got string, want *big.Rat) {
	t.Helper()
	switch {
	case want != nil:
		cents(t, what, got, want)
	case got != "":
		t.Errorf("%s is %s, and nobody knows", what, got)
	}
}

// savingsAgree marks the first recommendation of each kind as done on the first of the two days, and compares its
// savings on the second.
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
	w.change("insert into stale_days (tenant_id, day, what) values (1, to_timestamp(" + strconv.FormatInt(second, 10) +
		"), 'ledger')")
	w.analyse()
	costs := truth.WorkloadCosts(w.fleet)
	for _, r := range w.report("recommendations", metrics.Options{Filter: "status = done"}) {
		subject := done[r["recommendation_id"]]
		delete(done, r["recommendation_id"])
		since := ratOr0(costs[truth.WorkloadDay{Subject: subject, Day: second, Currency: r["currency"]}])
		before := new(big.Rat).Add(ratOr0(costs[truth.WorkloadDay{Subject: subject, Day: first, Currency: r["currency"]}]),
			since)
		if r["realised_hours"] != "24" {
			t.Errorf("%s: measured over %s hours, want 24", subject, r["realised_hours"])
		}
		hours := ratOr0(nil)
		if _, ok := hours.SetString(r["lifetime_hours"]); !ok || hours.Sign() <= 0 {
			t.Errorf("%s: a life of %q hours", subject, r["lifetime_hours"])
			continue
		}
		want := new(big.Rat).Mul(new(big.Rat).Quo(before, hours), big.NewRat(24, 1))
		near(t, subject+": realised saving", r["realised_saving"], want.Sub(want, since))
	}
	for _, subject := range done {
		t.Errorf("what was done about %s is forgotten", subject)
	}
}
