package metrics

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/internal/ledger"
)

func TestParse(t *testing.T) {
	q, err := Parse("costs", Options{From: "2026-11-01", To: "2026-11-08T00:00:00+01:00", TZ: "Europe/Berlin",
		GroupBy:     "team, tag:Cost Center",
		Granularity: "day", Basis: "list", Order: "-gpu_hours,team", Limit: "7", Sharing: "before", Org: "as-was"})
	if err != nil {
		t.Fatal(err)
	}
	if q.Window.From.String() != "2026-10-31T23:00:00Z" || q.Window.To.String() != "2026-11-07T23:00:00Z" {
		t.Errorf("window %s", q.Window)
	}
	want := []Order{
		{"gpu_hours", true}, {"team", false}, {"period_start", false}, {"tag:Cost Center", false}, {"currency", false},
	}
	if d := cmp.Diff(want, q.Order); d != "" {
		t.Errorf("order (-want +got):\n%s", d)
	}
	if q.Basis != ledger.ListCost || q.Limit != 7 || q.Zone != "Europe/Berlin" {
		t.Errorf("%+v", q)
	}
	cols := names(q.Columns(), func(c Column) string { return c.Name })
	if got := strings.Join(cols[:5], " "); got != "period_start period_end team tag:Cost Center currency" {
		t.Errorf("columns begin %s", got)
	}
	q, err = Parse("costs", Options{GroupBy: "state"})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(strings.Join(names(q.Columns(), func(c Column) string { return c.Name }), " "),
		"state"); n != 1 {
		t.Errorf("state stands %d times", n)
	}
}

// manyLabels are n different label keys, each followed by then, with between in between.
func manyLabels(n int, then, between string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = "label:k" + itoa(int64(i)) + then
	}
	return strings.Join(all, between)
}

func TestAsManyKeysAsAllowed(t *testing.T) {
	if _, err := Parse("costs", Options{
		GroupBy: manyLabels(maxKeys, "", ","), Filter: manyLabels(maxFilterKeys, "=a", " or ") + " or label:k0=b",
	}); err != nil {
		t.Error(err)
	}
}

func TestParseRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		dataset string
		o       Options
		option  string
	}{
		"bad time":         {"costs", Options{From: "yesterday"}, "from"},
		"bad end":          {"costs", Options{To: "2026-13-01"}, "to"},
		"empty window":     {"costs", Options{From: "2026-11-02", To: "2026-11-02"}, "to"},
		"far time":         {"costs", Options{From: "0001-01-01"}, "from"},
		"zone":             {"costs", Options{TZ: "Mars/Base"}, "tz"},
		"local zone":       {"costs", Options{TZ: "Local"}, "tz"},
		"zone with path":   {"costs", Options{TZ: "../../etc/passwd"}, "tz"},
		"month":            {"costs", Options{BillingPeriod: "2026-11-01"}, "billing-period"},
		"month of runs":    {"runs", Options{BillingPeriod: "2026-11"}, "billing-period"},
		"two months":       {"variance", Options{BillingPeriod: "2026-11"}, "billing-period"},
		"key":              {"costs", Options{GroupBy: "team,colour"}, "group-by"},
		"empty key":        {"costs", Options{GroupBy: "team,"}, "group-by"},
		"key twice":        {"costs", Options{GroupBy: "team,team"}, "group-by"},
		"too many keys":    {"costs", Options{GroupBy: manyLabels(17, "", ",")}, "group-by"},
		"too many tests":   {"costs", Options{Filter: manyLabels(33, "=a", " or ")}, "filter"},
		"empty tag":        {"costs", Options{GroupBy: "tag:"}, "group-by"},
		"group by figure":  {"runs", Options{GroupBy: "effective_cost"}, "group-by"},
		"group imports":    {"imports", Options{GroupBy: "source"}, "group-by"},
		"granularity":      {"costs", Options{Granularity: "minute"}, "granularity"},
		"granular runs":    {"runs", Options{Granularity: "day"}, "granularity"},
		"basis":            {"costs", Options{Basis: "real"}, "basis"},
		"order":            {"costs", Options{Order: "team"}, "order"},
		"injection":        {"runs", Options{Order: `run_id"; drop table runs`}, "order"},
		"limit zero":       {"costs", Options{Limit: "0"}, "limit"},
		"limit text":       {"costs", Options{Limit: "all"}, "limit"},
		"as of":            {"runs", Options{AsOf: "2026-11-01"}, "as-of"},
		"as of by pod":     {"costs", Options{AsOf: "2026-11-01", GroupBy: "pod"}, "as-of"},
		"as of when":       {"costs", Options{AsOf: "then"}, "as-of"},
		"as of after":      {"costs", Options{AsOf: "2026-11-01", Sharing: "after"}, "sharing"},
		"of both":          {"costs", Options{AsOf: "2026-11-01", Statement: "2026-10"}, "as-of"},
		"statement by tag": {"costs", Options{Statement: "2026-10", GroupBy: "tag:x"}, "statement"},
		"statement hours":  {"costs", Options{Statement: "2026-10", Granularity: "hour"}, "granularity"},
		"statement":        {"costs", Options{Statement: "1"}, "statement"},
		"org":              {"costs", Options{Org: "as-of"}, "org"},
		"import window":    {"imports", Options{From: "2026-11-01"}, "from"},
		"filter key":       {"runs", Options{Filter: "colour = red"}, "filter"},
		"filter on money":  {"runs", Options{Filter: "effective_cost > much"}, "filter"},
		"filter on time":   {"runs", Options{Filter: "started_at > noon"}, "filter"},
		"order of ids":     {"postings", Options{Filter: "posting_id > 00000000000000000000000000000001"}, "filter"},
		"less than none":   {"runs", Options{Filter: "attempts < ''"}, "filter"},
		"not in groups":    {"runs", Options{Filter: "co2e_kg > 1", GroupBy: "team"}, "filter"},
		"key not shown":    {"costs", Options{Filter: "team = x or effective_cost > 1"}, "filter"},
		"filter number":    {"runs", Options{Filter: "attempts = many"}, "filter"},
		"filter id":        {"postings", Options{Filter: "posting_id = x"}, "filter"},
		"filter like id":   {"postings", Options{Filter: "posting_id like 'a%'"}, "filter"},
		"filter bool":      {"usage", Options{Filter: "held = yes"}, "filter"},
		"unfinished":       {"costs", Options{Filter: "team ="}, "filter"},
		"filter not a tag": {"runs", Options{Filter: "tag:a = b"}, "filter"},
	} {
		_, err := Parse(c.dataset, c.o)
		var oe *OptionError
		if !errors.As(err, &oe) || oe.Option != c.option {
			t.Errorf("%s: %v, want a refusal of %s", name, err, c.option)
		}
	}
}

func TestDefaultsNeverNeedAClock(t *testing.T) {
	for _, d := range Datasets {
		q, err := Parse(d.Name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if q.Window.From != 0 || q.Window.To != 0 || q.Limit != 0 || q.Zone != "UTC" || q.Basis != ledger.EffectiveCost {
			t.Errorf("%s: %+v", d.Name, q)
		}
		for _, o := range q.Order {
			if o.Column == Basis {
				t.Errorf("%s: the basis is not resolved in its order", d.Name)
			}
		}
	}
}

func TestOnlyKeepsKeysAndOrder(t *testing.T) {
	q, err := Parse("costs", Options{GroupBy: "team", Granularity: "day", Order: "-billed_cost"})
	if err != nil {
		t.Fatal(err)
	}
	q.Only = []string{"gpu_hours"}
	var names []string
	for _, c := range q.Columns() {
		names = append(names, c.Name)
	}
	want := []string{"period_start", "period_end", "team", "currency", "billed_cost", "gpu_hours"}
	if !slices.Equal(names, want) {
		t.Errorf("columns %v, want %v", names, want)
	}
}
