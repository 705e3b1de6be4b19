package posting_test

import (
	"math/big"
	"regexp"
	"testing"

	"gpuledger/metrics"
	"gpuledger/test/truth"
)

var (
	memoryNeeded   = regexp.MustCompile(`memory used, P99: ([0-9.]+) GiB`)
	activityNeeded = regexp.MustCompile(`activity, P95: ([0-9.]+) %`)
	daysObserved   = regexp.MustCompile(`days observed: ([0-9]+)`)
	partKept       = regexp.MustCompile(`share of the present slice: ([0-9/]+)`)
	presentSlice   = regexp.MustCompile(`instead of ([^ ]+)\.$`)
	priceNow       = regexp.MustCompile(`per GPU-hour now: ([0-9.]+) `)
	priceThen      = regexp.MustCompile(`per GPU-hour after the change: ([0-9.]+) `)
)

// sizesAgree compares the advice for holders with more than they need: their needs, the smallest slice that is
// enough, and the money of a month. Other advice saves the cost of their idle time. Prices of other cards come from
// the catalogue, which the simulator does not know.
func sizesAgree(t *testing.T, w *world, oracle map[truth.SizeKey]*truth.Size) {
	t.Helper()
	elsewhere := map[[2]string]*big.Rat{}
	advised, compared := map[truth.SizeKey]bool{}, map[string]int{}
	rows := w.report("recommendations", metrics.Options{})
	for _, r := range rows {
		if r["kind"] == "stop_idle" || r["kind"] == "fewer_replicas" {
			at := [2]string{r["subject"], r["gpu_model"]}
			saving, _ := new(big.Rat).SetString(r["saving"])
			elsewhere[at] = saving.Add(saving, ratOr0(elsewhere[at]))
		}
	}
	for _, r := range rows {
		if r["kind"] != "smaller_slice" && r["kind"] != "smaller_card" {
			continue
		}
		profile := ""
		if m := presentSlice.FindStringSubmatch(r["proposal"]); m != nil && r["kind"] == "smaller_slice" {
			profile = m[1]
		}
		var want *truth.Size
		all := new(big.Rat) // over all its sizes on the model
		for k, x := range oracle {
			if k.Subject == r["subject"] && catalogued[k.Model] == r["gpu_model"] && k.Currency == r["currency"] {
				all.Add(all, x.Cost)
				// of several owners, the one that saves most
				if advised[k] = true; k.Profile == profile && (want == nil || x.Cost.Cmp(want.Cost) > 0) {
					want = x
				}
			}
		}
		if want == nil {
			t.Errorf("%s: %s holds no %s %s", r["kind"], r["subject"], r["gpu_model"], profile)
			continue
		}
		compared[r["kind"]]++
		what := r["kind"] + " for " + r["subject"] + ": "
		if want.Each != 1 || want.Hours < 24 {
			t.Errorf("%s%d slices each, %d hours with telemetry", what, want.Each, want.Hours)
			continue
		}
		cost := new(big.Rat).Quo(ratOr0(elsewhere[[2]string{r["subject"], r["gpu_model"]}]), all)
		cost.Sub(want.Cost, cost.Mul(cost, want.Cost))
		near(t, what+"cost", r["effective_cost"], cost)
		about(t, what+"memory", captured(memoryNeeded, r), big.NewRat(truth.Rank(want.Memory, 99), 1024))
		about(t, what+"activity", captured(activityNeeded, r), big.NewRat(truth.Rank(want.Activity, 95), 10_000))
		kept := captured(partKept, r)
		if r["kind"] == "smaller_card" {
			now, then := captured(priceNow, r), captured(priceThen, r)
			if now == nil || then == nil || now.Cmp(want.ListPrice) != 0 || then.Cmp(now) >= 0 {
				t.Errorf("%sprices are %v and %v, a GPU-hour is listed at %s", what, now, then, want.ListPrice.FloatString(8))
				continue
			}
			kept = new(big.Rat).Quo(then, now)
		} else if !smallest(want, kept) {
			name, part := want.Smallest(120)
			t.Errorf("%s%v of the slice is kept; the smallest that holds it is %q, %v of it", what, kept, name, part)
			continue
		}
		hours, window := ratOr0(nil), instant(t, r["window_end"])-instant(t, r["window_start"])
		if _, ok := hours.SetString(r["lifetime_hours"]); !ok || hours.Sign() <= 0 {
			t.Errorf("%sa life of %q hours", what, r["lifetime_hours"])
			continue
		}
		saved := new(big.Rat).Mul(cost, new(big.Rat).Sub(big.NewRat(1, 1), kept))
		cents(t, what+"saving", r["saving"], saved)
		var month *big.Rat
		if days := captured(daysObserved, r); days != nil && days.Cmp(big.NewRat(3, 1)) >= 0 && window >= 7*86400 {
			month = saved.Quo(saved.Mul(saved, big.NewRat(730, 1)), hours)
		}
		aMonth(t, what+"saving per month", r["saving_per_month"], month)
	}
	for k, x := range oracle {
		if advised[k] || x.Each != 1 || x.Hours < 24 ||
			x.Cost.Cmp(ratOr0(elsewhere[[2]string{k.Subject, catalogued[k.Model]}])) <= 0 {
			continue
		}
		if name, part := x.Smallest(122); part != nil { // whatever the width of a sketch's bins
			t.Errorf("%s would do with %s (%s of its slice), and is not told", k.Subject, name, part.RatString())
		}
	}
	if compared["smaller_card"]+compared["smaller_slice"] == 0 {
		t.Error("nobody is advised a smaller size: the test says nothing")
	}
	t.Logf("compared: %v", compared)
}

// smallest reports whether the smallest slice is this part of the present one, whatever the width of a sketch's bins.
func smallest(x *truth.Size, kept *big.Rat) bool {
	for percent := int64(119); kept != nil && percent <= 121; percent++ {
		if _, part := x.Smallest(percent); part != nil && part.Cmp(kept) == 0 {
			return true
		}
	}
	return false
}

// captured is a number in a recommendation's evidence; nil: it has none.
func captured(number *regexp.Regexp, r map[string]string) *big.Rat {
	m := number.FindStringSubmatch(r["evidence"])
	if m == nil {
		return nil
	}
	v, _ := new(big.Rat).SetString(m[1])
	return v
}

// about compares values truncated to one decimal that come from a sketch.
func about(t *testing.T, what string, got, want *big.Rat) {
	t.Helper()
	if got == nil {
		t.Errorf("%s is not told, want %s", what, want.FloatString(3))
		return
	}
	off := new(big.Rat).Sub(got, want)
	if off.Abs(off).Cmp(new(big.Rat).Add(new(big.Rat).Mul(want, big.NewRat(8, 1000)), big.NewRat(1, 10))) > 0 {
		t.Errorf("%s is %s, want %s", what, got.FloatString(3), want.FloatString(3))
	}
}
