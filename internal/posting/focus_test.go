package posting_test

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// focusCosts are the costs of FOCUS and of the ledger.
var focusCosts = map[string]string{"BilledCost": "billed_cost", "EffectiveCost": "effective_cost",
	"ListCost": "list_cost", "ContractedCost": "contracted_cost"}

// sumsBy adds up a column by another, exactly.
func sumsBy(rows []map[string]string, by, column string) map[string]string {
	sums := map[string]money.Amount{}
	for _, row := range rows {
		if row[column] != "" {
			sums[row[by]] = sums[row[by]].Add(money.MustParse(row[column]))
		}
	}
	out := map[string]string{}
	for key, sum := range sums {
		out[key] = sum.String()
	}
	return out
}

// TestFocusIsTheLedger compares CostAndUsage of a fleet with bills of every provider with the published requirements,
// with the lines of the bills and with costs by cause and month.
func TestFocusIsTheLedger(t *testing.T) {
	t.Parallel()
	w := everywhere(t)
	rows := w.report("focus_cost_and_usage", metrics.Options{})
	for _, fault := range focusFaults(t, rows) {
		t.Error(fault)
	}
	w.mustAddUpToLines(rows)
	w.mustSplitRight(rows)
	costs := w.report("costs", metrics.Options{GroupBy: "cause", Filter: "state != provisional"})
	if diff := cmp.Diff(sumsBy(costs, "cause", "effective_cost"), sumsBy(rows, "x_Cause", "EffectiveCost")); diff != "" {
		t.Error("effective cost by cause (-costs +FOCUS):\n", diff)
	}
	month := string(w.month())
	if of := w.report("focus_cost_and_usage", metrics.Options{BillingPeriod: month}); !slices.EqualFunc(of,
		slices.DeleteFunc(slices.Clone(rows), func(r map[string]string) bool { return r["BillingPeriodStart"][:7] != month }),
		func(a, b map[string]string) bool { return cmp.Equal(a, b) }) {
		t.Error("one month alone has other rows")
	}
	older := w.report("focus_cost_and_usage", metrics.Options{FocusVersion: "1.3"})
	if len(older) != len(rows) || older[0]["ProviderName"] == "" {
		t.Errorf("FOCUS 1.3 has %d rows of %d", len(older), len(rows))
	}
	if _, has := older[0]["InvoiceDetailId"]; has {
		t.Error("FOCUS 1.3 has a column of 1.4")
	}
	w.mustKeepScopes(rows)
}

// mustAddUpToLines compares the rows of each line with the line, cost by cost, to the last digit. Costs that FOCUS requires and
// the bill lacks are left out.
func (w *world) mustAddUpToLines(rows []map[string]string) {
	w.t.Helper()
	lines := w.report("charges", metrics.Options{Filter: "role = book"})
	for standard, own := range focusCosts {
		said := slices.DeleteFunc(slices.Clone(rows), func(r map[string]string) bool {
			return slices.Contains(strings.Fields(r["x_AssumedColumns"]), standard)
		})
		sums := sumsBy(said, "x_ChargeId", standard)
		for _, line := range lines {
			want := line[own]
			if want == "" || line["kind"] == "split" {
				continue
			}
			if have := sums[line["charge_id"]]; have != money.MustParse(want).String() {
				w.t.Errorf("line %s: %s is %s, its rows add up to %q", line["charge_id"], standard, want, have)
				break
			}
		}
	}
}

// mustSplitRight checks that the shares of each origin charge add up to 1, that each holder has one row for each cause,
// and that costs follow the shares.
func (w *world) mustSplitRight(rows []map[string]string) {
	w.t.Helper()
	type origin struct {
		shares, cost *big.Rat
		rows         []map[string]string
	}
	origins := map[string]*origin{}
	for _, row := range rows {
		if row["AllocatedMethodId"] == "" {
			continue
		}
		o := origins[row["x_OriginId"]]
		if o == nil {
			o = &origin{shares: new(big.Rat), cost: new(big.Rat)}
			origins[row["x_OriginId"]] = o
		}
		o.rows = append(o.rows, row)
		o.shares.Add(o.shares, ratioOf(w.t, row))
		o.cost.Add(o.cost, money.MustParse(row["EffectiveCost"]).Rat())
	}
	if len(origins) == 0 {
		w.t.Fatal("no charge is split")
	}
	near := func(a, b *big.Rat, limit int64) bool {
		off := new(big.Rat).Sub(a, b)
		return off.Abs(off).Cmp(big.NewRat(1, limit)) <= 0
	}
	for id, o := range origins {
		seen := map[[3]string]bool{}
		if !near(o.shares, big.NewRat(1, 1), 1e15) {
			w.t.Errorf("origin %s: shares add up to %s", id, o.shares.FloatString(20))
		}
		for _, row := range o.rows {
			key := [3]string{row["AllocatedResourceId"], row["AllocatedTags"], row["x_Cause"]}
			if seen[key] {
				w.t.Errorf("origin %s has %v twice", id, key)
			}
			seen[key] = true
			part := new(big.Rat).Mul(o.cost, ratioOf(w.t, row))
			if !near(part, money.MustParse(row["EffectiveCost"]).Rat(), 1e9) {
				w.t.Errorf("origin %s: %s of %s", id, row["EffectiveCost"], o.cost.FloatString(12))
			}
		}
	}
}

// ratioOf is a row's share of its origin charge.
func ratioOf(t *testing.T, row map[string]string) *big.Rat {
	t.Helper()
	var details struct {
		Elements []struct{ AllocatedRatio json.Number }
	}
	if err := json.Unmarshal([]byte(row["AllocatedMethodDetails"]), &details); err != nil || len(details.Elements) != 1 {
		t.Fatalf("AllocatedMethodDetails %q: %v", row["AllocatedMethodDetails"], err)
	}
	r, ok := new(big.Rat).SetString(details.Elements[0].AllocatedRatio.String())
	if !ok {
		t.Fatalf("AllocatedRatio %q", details.Elements[0].AllocatedRatio)
	}
	return r
}

// mustKeepScopes asks as the lead of a team: they see exactly their owners' rows, with the same costs, without the ratio
// of charges that others pay, too, and without tags of lines.
func (w *world) mustKeepScopes(rows []map[string]string) {
	w.t.Helper()
	teams := map[string]int{}
	for _, row := range rows {
		var tags map[string]string
		if json.Unmarshal([]byte(row["AllocatedTags"]), &tags) == nil {
			teams[tags["team"]]++
		}
	}
	delete(teams, "")
	var team string
	for name, n := range teams {
		if team == "" || n > teams[team] || n == teams[team] && name < team {
			team = name
		}
	}
	if len(teams) < 2 {
		w.t.Fatalf("teams %v", teams)
	}
	q, err := metrics.Parse("focus_cost_and_usage", metrics.Options{})
	if err != nil {
		w.t.Fatal(err)
	}
	answer, err := w.store.Query(storetest.InPart(w.t, w.store, "team = '"+team+"'"), q)
	if err != nil {
		w.t.Fatal(err)
	}
	defer answer.Close()
	at := map[string]int{}
	for i, c := range answer.Columns() {
		at[c.Name] = i
	}
	n, shared := 0, 0
	for answer.Next() {
		of := func(column string) string { return answer.Values()[at[column]].Text }
		var tags map[string]string
		if _ = json.Unmarshal([]byte(of("AllocatedTags")), &tags); tags["team"] != team && of("x_Cause") != "non_gpu" {
			w.t.Fatalf("the lead of %s sees a row of %v", team, tags)
		}
		if of("Tags") != "" {
			w.t.Fatal("scoped users see tags of lines")
		}
		if of("x_Cause") != "non_gpu" {
			n++
		}
		if of("AllocatedMethodDetails") == "" {
			shared++
		}
	}
	if answer.Err() != nil || n != teams[team] || shared == 0 {
		w.t.Errorf("the lead of %s sees %d rows of %d, %d without a ratio: %v", team, n, teams[team], shared, answer.Err())
	}
}

// TestFocusOfAClosedMonthStays closes a month and restates its bill: its rows stay, and the change is in the open month
// as reversal and re-entry.
func TestFocusOfAClosedMonthStays(t *testing.T) {
	t.Parallel()
	cfg := twoDays(11)
	cfg.Restate = true
	w := simulate(t, cfg)
	at := func(day int) *period.Second {
		s := period.FromTime(w.files.To) + period.Second(day*period.Day)
		return &s
	}
	w.load("openmetrics", w.files.Telemetry...)
	w.load("price-book", w.files.PriceBook)
	w.loadDelivered(at(1), w.files.AWSFirst...)
	w.allocate()
	month := metrics.Options{BillingPeriod: string(w.month())}
	before := w.report("focus_cost_and_usage", month)
	w.closeAll()
	w.allocate()
	w.loadDelivered(at(2), w.files.AWSCUR...)
	w.allocate()
	if diff := cmp.Diff(before, w.report("focus_cost_and_usage", month)); diff != "" {
		t.Errorf("the closed month has changed:\n%s", diff[:min(len(diff), 3000)])
	}
	all := w.report("focus_cost_and_usage", metrics.Options{})
	for _, fault := range focusFaults(t, all) {
		t.Error(fault)
	}
	known := map[string]bool{}
	for _, row := range all {
		known[row["x_ChargeId"]] = true
	}
	reversed, entered := 0, 0
	for _, row := range all {
		late := row["BillingPeriodStart"][:7] > string(w.month())
		switch fixes := row["x_CorrectsChargeId"]; {
		case row["ChargeClass"] != "Correction":
			if late && row["ChargePeriodStart"][:7] == string(w.month()) {
				t.Fatalf("a late change is no correction: %v", row)
			}
		case !late || row["ChargePeriodStart"][:7] != string(w.month()):
			t.Fatalf("a correction in %s of %s", row["BillingPeriodStart"], row["ChargePeriodStart"])
		case fixes != "" && !known[fixes]:
			t.Fatalf("a correction of line %s, which is in no row", fixes)
		case fixes == row["x_ChargeId"]:
			reversed++
		default:
			entered++
		}
	}
	if reversed == 0 || entered == 0 {
		t.Errorf("%d rows are reversed, %d entered", reversed, entered)
	}
	w.mustAddUpToLines(all)
}
