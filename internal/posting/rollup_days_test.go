package posting_test

import (
	"slices"
	"time"

	"gpuledger/internal/star"
	"gpuledger/metrics"
	"gpuledger/test/tier"
)

// figureDatasets are the datasets that are answered from facts of the ledger, except those that other tests here
// query, and those whose fact code computes.
func figureDatasets() (names []string) {
	elsewhere := []string{"costs", "chargeback", "coverage", "reconciliation", "devices", "runs", "attempts", "groups",
		"scaling", "experiments", "inference", "recommendations", "targets"}
	for _, f := range star.Facts {
		for _, name := range f.Reads {
			if f.Made == "" && !slices.Contains(elsewhere, name) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// figures queries them by every key that they have (every day: by one of twenty), with windows that cut days, that
// begin and end with days or months, and that are open.
func (a *asker) figures(when string) {
	a.t.Helper()
	day := func(n int) string { return a.files.From.AddDate(0, 0, n).Format(time.DateOnly) }
	windows := []metrics.Options{
		{From: day(1) + "T07:00", To: day(3) + "T12:30"},
		{From: a.files.From.Format("2006-01") + "-01", To: a.files.To.AddDate(0, 1, 0).Format("2006-01") + "-01"},
		{From: day(1), To: day(4)},
		{},
		{From: day(2)},
	}
	for _, name := range figureDatasets() {
		d, err := metrics.LookupDataset(name)
		if err != nil {
			a.t.Fatal(err)
		}
		found := 0
		for _, key := range slices.Concat([]string{""}, d.RowKey, d.Offers) {
			if c, own := d.Column(key); key == "currency" || own &&
				(c.Formula.Op != metrics.OpField || !c.Filter || c.Kind == metrics.Time) {
				continue // not a key
			}
			if a.turn++; key != "" && !tier.Full() && a.turn%20 != 0 {
				continue
			}
			for i, o := range windows {
				whole := key == "" && (tier.Full() || o == metrics.Options{})
				if !whole && i != a.turn%len(windows) { // one window each, another one at each stage
					continue
				}
				o.GroupBy = key
				found += a.compare(when, name, o)
				if key != "" && i == 1 {
					o.Filter = key + " != ''"
					o.GroupBy = ""
					a.compare(when, name, o)
				}
			}
		}
		if name == "spot" { // some groups, by hour of the day, and keys that days lack
			for i, o := range []metrics.Options{{Filter: "group_key = instance_type and team != unowned"},
				{Filter: "group_key in (zone, hour)"}, {Filter: "group_key = hour and cluster != ''"},
				{GroupBy: "cluster,project", Filter: "namespace != '' and not workload_class = service"},
				{Filter: "group_key = zone and run != ''"}, {Filter: "group_key = node"}} {
				for j, w := range windows {
					if j == (i+a.turn)%len(windows) {
						o.From, o.To = w.From, w.To
						a.compare(when, name, o)
					}
				}
			}
		}
		if found == 0 {
			a.t.Errorf("%s: no %s", when, name)
		}
	}
	found := 0
	for _, step := range []string{"", "hour", "day", "week", "month"} {
		for _, zone := range []string{"", "Asia/Kolkata"} {
			a.turn++
			o := windows[a.turn%len(windows)]
			o.Granularity, o.TZ = step, zone
			found += a.compare(when, "coverage", o)
		}
	}
	if found == 0 {
		a.t.Errorf("%s: no coverage", when)
	}
}
