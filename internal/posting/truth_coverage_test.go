package posting_test

import (
	"math/big"
	"strings"
	"testing"

	"gpuledger/metrics"
	"gpuledger/test/truth"
)

// coverageAgrees compares the spend of owners, by owner key and by quality.
func coverageAgrees(t *testing.T, w *world, oracle map[[2]string]*truth.OwnerCoverage) {
	t.Helper()
	rows := rowOfEach(t, w.report("owner_coverage", metrics.Options{}),
		func(r map[string]string) string { return r["key"] + " " + r["currency"] })
	all(t, "owner_coverage", rows, len(oracle))
	for k, c := range oracle {
		r := rows[k[0]+" "+k[1]]
		if r == nil {
			t.Errorf("owner key %s in %s is missing", k[0], k[1])
			continue
		}
		what, steps := "coverage of "+k[0], 8*(c.Steps+1)
		exactly(t, what+": effective_cost", r["effective_cost"], c.Effective, steps)
		exactly(t, what+": owned_cost", r["owned_cost"], c.Owned, steps)
		exactly(t, what+": unowned_cost", r["unowned_cost"], new(big.Rat).Sub(c.Effective, c.Owned), steps)
		for quality, want := range c.Quality {
			exactly(t, what+": "+quality+"_cost", r[quality+"_cost"], want, steps)
		}
		exactly(t, what+": owned_share", r["owned_share"], new(big.Rat).Quo(c.Owned, c.Effective), steps)
		exactly(t, what+": measured_share", r["measured_share"], new(big.Rat).Quo(c.Quality["measured"], c.Effective), steps)
	}
	// Some keys are on all spend, some on none.
	for _, key := range []string{"team", "model", "experiment", "cost_center"} {
		if c := oracle[[2]string{key, "USD"}]; c == nil || c.Owned.Sign() == 0 || c.Owned.Cmp(c.Effective) == 0 {
			t.Errorf("a test of little: all or nothing has a %s", key)
		}
	}
}

// targetsAgree compares the days of targets: the ratio, its status, and since when.
func targetsAgree(t *testing.T, w *world, oracle []truth.Target) {
	t.Helper()
	name := func(day, target, subject, unit, currency string) string {
		return strings.Join([]string{day, target, subject, unit, currency}, " ")
	}
	rows := rowOfEach(t, w.report("targets", metrics.Options{}), func(r map[string]string) string {
		return name(r["day"], r["target"], r["subject"], r["unit"], r["currency"])
	})
	all(t, "targets", rows, len(oracle))
	seen := map[string]int{}
	for i := range oracle {
		x := &oracle[i]
		what := name(stamp(x.Day), x.Target, x.Subject, x.Unit, x.Currency)
		r := rows[what]
		if r == nil {
			t.Errorf("target %s is missing", what)
			continue
		}
		steps := 40 * (x.Steps + 1)
		exactly(t, what+": numerator", r["numerator"], x.Numerator, steps)
		exactly(t, what+": denominator", r["denominator"], x.Denominator, steps)
		exactly(t, what+": value", r["value"], x.Value, 1_000_000)
		exactly(t, what+": before", r["before"], x.Before, 1_000_000)
		exactly(t, what+": change", r["change"], x.Change, 1_000_000)
		words(t, what, r, map[string]string{"status": x.Status, "since": stamp(x.Since)})
		seen[x.Status]++
	}
	if len(seen) < 3 || seen["unknown"] == 0 {
		t.Errorf("a test of little: days are %v", seen)
	}
}
