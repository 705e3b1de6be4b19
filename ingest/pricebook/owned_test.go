package pricebook

import (
	"fmt"
	"maps"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

func parseBook(t testing.TB, text string) *Book {
	t.Helper()
	b, tally, err := Parse(strings.NewReader(text), "book.yaml")
	if err != nil || tally.Refusals() != 0 {
		t.Fatalf("%v %+v\n%s", err, tally.First, text)
	}
	return b
}

// write returns all lines of a book and its deliveries, whose control totals
// must be the sums of the lines.
func write(t testing.TB, b *Book, energy Energy) ([]ledger.Charge, []ledger.Delivery) {
	t.Helper()
	var all []ledger.Charge
	var deliveries []ledger.Delivery
	ids := map[ledger.ID]bool{}
	for _, s := range b.Slots() {
		var lines []ledger.Charge
		if err := s.Write(energy, func(c []ledger.Charge) error { lines = append(lines, c...); return nil }); err != nil {
			t.Fatal(err)
		}
		d, err := s.Finish(nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		type key struct{ account, currency string }
		sums, rows := map[key]money.Amount{}, map[key]int64{}
		for i := range lines {
			c := &lines[i]
			k := key{c.Account, c.Currency}
			sums[k], rows[k] = sums[k].Add(*c.Effective), rows[k]+1
			if ids[c.ID] || c.Billed.Cmp(*c.Effective) != 0 || c.Contracted.Cmp(*c.Effective) != 0 || c.List != nil ||
				*c.InstanceSeconds != c.Period.Seconds() ||
				c.Period.From.Floor(period.Hour) != (c.Period.To-1).Floor(period.Hour) || c.BillingPeriod != s.Month {
				t.Fatalf("%+v", c)
			}
			ids[c.ID] = true
		}
		if len(d.Totals) != 3*len(sums) || d.Rows != int64(len(lines)) {
			t.Fatalf("%d totals, %d rows of %d", len(d.Totals), d.Rows, len(lines))
		}
		for _, c := range d.Totals {
			k := key{c.Account, c.Currency}
			if sums[k].Cmp(c.SourceTotal) != 0 || rows[k] != c.Charges {
				t.Fatalf("%s %s: control total %s over %d, lines %s over %d", s.Month, c.Metric, c.SourceTotal, c.Charges, sums[k],
					rows[k])
			}
		}
		all, deliveries = append(all, lines...), append(deliveries, d)
	}
	return all, deliveries
}

func sum(lines []ledger.Charge) money.Amount {
	var all money.Amount
	for i := range lines {
		all = all.Add(*lines[i].Effective)
	}
	return all
}

// plain is an entry with a life that ends within the book.
func plain(more string) string {
	return "name: rack\nowned:\n- {name: dgx, cluster: c, nodes: [n1], gpus: 8, in_service: 2026-01-15T10:20:30Z, " +
		"through: 2027-04, currency: EUR" + more + "}\n"
}

func TestALifeAddsUpToWhatDepreciates(t *testing.T) {
	for name, c := range map[string]struct{ method, want string }{
		"straight line": {
			"purchase_price: '100000.000000000007', residual_value: '1', depreciation: straight_line, life_months: 13",
			"99999.000000000007",
		},
		"sum of years":     {"purchase_price: '100000', depreciation: sum_of_years, life_months: 12", "100000"},
		"odd sum of years": {"purchase_price: '1000.1', depreciation: sum_of_years, life_months: 15", "1000.1"},
		"declining balance": {
			"purchase_price: '377000', residual_value: '20000', depreciation: declining_balance, declining_rate: '0.4', " +
				"life_months: 15", "357000",
		},
		"steep decline": {
			"purchase_price: '377000', residual_value: '20000', depreciation: declining_balance, declining_rate: '1', " +
				"life_months: 14", "357000",
		},
		"slow decline": {
			"purchase_price: '10', depreciation: declining_balance, declining_rate: '0.000001', life_months: 7", "10",
		},
		"units":           {"purchase_price: '350000', depreciation: units, life_hours: 1234", "350000"},
		"nothing":         {"purchase_price: '0'", "0"},
		"worth its price": {"purchase_price: '5', residual_value: '5', depreciation: straight_line, life_months: 3", "0"},
	} {
		t.Run(name, func(t *testing.T) {
			lines, _ := write(t, parseBook(t, plain(", "+c.method)), nil)
			if got := sum(lines); got.String() != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// ofYear adds up the depreciation of the n-th year of life.
func ofYear(e *Owned, n int) string {
	var all money.Amount
	for i, m := range e.life {
		if i/12 == n {
			all = all.Add(m.amount)
		}
	}
	return all.String()
}

func TestMethodsByTheTextbook(t *testing.T) {
	for name, c := range map[string]struct {
		method string
		years  []string
	}{
		"straight line": {
			"purchase_price: '60000', depreciation: straight_line, life_months: 60",
			[]string{"12000", "12000", "12000", "12000", "12000", "0"},
		},
		"sum of years": {
			"purchase_price: '15000', depreciation: sum_of_years, life_months: 60",
			[]string{"5000", "4000", "3000", "2000", "1000", "0"},
		},
		// 40 % of 100000, 60000, 36000; then 21600 over two years are 10800 each, more than 8640.
		"declining": {
			"purchase_price: '100000', depreciation: declining_balance, declining_rate: '0.4', life_months: 60",
			[]string{"40000", "24000", "14400", "10800", "10800", "0"},
		},
		// Never below the residual value.
		"declining to residual": {
			"purchase_price: '100000', residual_value: '50000', depreciation: declining_balance, declining_rate: '0.4', " +
				"life_months: 60", []string{
				"40000", "10000", "0", "0", "0", "0",
			},
		},
	} {
		e := parseBook(t, plain(", "+c.method)).Owned[0]
		for n, want := range c.years {
			if got := ofYear(e, n); got != want {
				t.Errorf("%s, year %d: %s, want %s", name, n+1, got, want)
			}
		}
	}
}

func TestMonthsOfLifeEndWithShortMonths(t *testing.T) {
	at, _ := instant("2027-10-31T06:00:00Z")
	for n, want := range []string{
		"2027-10-31T06:00:00Z", "2027-11-30T06:00:00Z", "2027-12-31T06:00:00Z",
		"2028-01-31T06:00:00Z", "2028-02-29T06:00:00Z", "2028-03-31T06:00:00Z",
	} {
		if got := addMonths(at, n).String(); got != want {
			t.Errorf("%d months: %s, want %s", n, got, want)
		}
	}
}

const rack = `name: hall-7
issued_at: 2026-12-01
through: 2026-11
currency: EUR
rates:
- {instance_type: dgx-h100, price_class: on_demand, currency: EUR, hourly: "98.5"}
owned:
- name: dgx-h100
  cluster: onprem
  nodes: {pattern: "dgx-%02d", count: 3}
  instance_type: dgx-h100
  gpu_model: H100
  gpus: 8
  region: fra
  tags: {team: research}
  in_service: 2026-11-10T12:30:00Z
  purchase_price: "350000"
  residual_value: "20000"
  depreciation: straight_line
  life_months: 60
  opportunity_rate: "0.06"
  power: {draw_kw: "8.5", pue: "1.3", tariff_per_kwh: [{price: "0.21"}, {from: 2026-11-20T00:15:00Z, price: "0.25"}]}
  colocation_monthly: {total: "4000"}
  support_annual: "12000"
  staff_monthly: {total: "9000", share: "0.25"}
`

func TestARack(t *testing.T) {
	b := parseBook(t, rack)
	lines, deliveries := write(t, b, nil)
	if len(lines) != 3*(12+20*24) || len(deliveries) != 1 || len(b.Rates) != 1 || b.Entries != 2 {
		t.Fatalf("%d lines, %d deliveries, %d rates", len(lines), len(deliveries), len(b.Rates))
	}
	first, whole := lines[0], lines[1]
	if first.InstanceID != "node/onprem/dgx-01" || first.ResourceID != first.InstanceID ||
		*first.InstanceSeconds != 1800 || first.UsageAmount.String() != "0.5" ||
		first.Account != "onprem" || first.BillingAccount != "hall-7" || first.PriceClass != ledger.Owned ||
		!first.BillsGPU || !first.InstanceHours ||
		first.Kind != ledger.LineUsage || first.Tags["team"] != "research" || first.Line != 8 ||
		first.SourceFile != "book.yaml" {
		t.Errorf("%+v", first)
	}
	// 330000 / 60 = 5500 over the 720 hours of the month of life; 8.5 kW × 1.3 × 0.21;
	// 4000 / 3 and 12000 / 12 and 2250 / 3 over 720 hours; 350000 × 6 % / 12 over 720.
	want := "depreciation 7.638888888889 + power 2.3205 (draw 8.5 kWh, PUE 1.3) + colocation 1.851851851852 + support " +
		"1.388888888889 + staff 1.041666666667 + opportunity 2.430555555556"
	if whole.Description != want {
		t.Errorf("%s\nwant %s", whole.Description, want)
	}
	total := money.Sum(money.MustParse("7.638888888889"), money.MustParse("2.3205"), money.MustParse("1.851851851852"),
		money.MustParse("1.388888888889"), money.MustParse("1.041666666667"), money.MustParse("2.430555555556"))
	if whole.Effective.Cmp(total) != 0 {
		t.Errorf("%s, its components %s", whole.Effective, total)
	}
	// A tariff that changes within an hour: a quarter at the old price.
	for _, c := range lines {
		// 11.05 × (0.21 + 3 × 0.25) / 4
		if c.Period.From.String() == "2026-11-20T00:00:00Z" && !strings.Contains(c.Description, "power 2.652 (") {
			t.Errorf("%s", c.Description)
		}
	}
	d := deliveries[0]
	if d.Source != "price-book" || d.Dataset != "owned" || d.Rank != 3 || d.Kind != ledger.Snapshot ||
		d.Partition != "2026-11" || d.Export != "hall-7" || d.Scope != "hall-7" ||
		d.DeliveredAt.String() != "2026-12-01T00:00:00Z" || len(d.Files) != 1 || d.ID.IsZero() {
		t.Errorf("%+v", d)
	}
}

func TestTheSameBookHasTheSameDigest(t *testing.T) {
	b := parseBook(t, strings.Replace(rack, "nodes: {pattern: \"dgx-%02d\", count: 3}", "nodes: [dgx-01, dgx-02, dgx-03]",
		1))
	// Order of keys, comments and lines do not matter.
	_, one := write(t, parseBook(t, rack), nil)
	_, other := write(t, b, nil)
	if one[0].Digest != other[0].Digest || one[0].ID != other[0].ID {
		t.Error("another spelling of the same nodes is another delivery")
	}
	_, dearer := write(t, parseBook(t, strings.Replace(rack, `"12000"`, `"12000.01"`, 1)), nil)
	if one[0].Digest == dearer[0].Digest {
		t.Error("another price has the same digest")
	}
}

func TestABookThatGoesOnKeepsItsLines(t *testing.T) {
	short, _ := write(t, parseBook(t, rack), nil)
	long, _ := write(t, parseBook(t, strings.Replace(rack, "through: 2026-11", "through: 2027-01-15", 1)), nil)
	got := map[ledger.ID]string{}
	for _, c := range long {
		got[c.ID] = c.Effective.String()
	}
	for _, c := range short {
		if got[c.ID] != c.Effective.String() {
			t.Fatalf("the line of %s changed: %s, %s", c.Period, c.Effective, got[c.ID])
		}
	}
	if len(long) != len(short)+3*(31+15)*24 {
		t.Errorf("%d lines, %d before", len(long), len(short))
	}
}

func TestMeasuredEnergy(t *testing.T) {
	b := parseBook(t, plain(", purchase_price: '0', power: {measured: true, fallback_kw: '6.5', host_kw: '1.5', pue: "+
		"'1.2', tariff_per_kwh: '0.3'}, retired: 2026-01-15T13:00:00Z"))
	s := b.Slots()[0]
	var lines []ledger.Charge
	err := s.Write(func(cluster, node string, within period.Interval) (map[period.Second]ledger.MeasuredEnergy, error) {
		if cluster != "c" || node != "n1" || within != b.Owned[0].Service {
			t.Errorf("%s %s %s", cluster, node, within)
		}
		return map[period.Second]ledger.MeasuredEnergy{
			within.From.Floor(period.Hour):               {Joules: 1_800_000, DeviceSeconds: 8 * 600},
			within.From.Floor(period.Hour) + period.Hour: {Joules: 9_000_000, DeviceSeconds: 8*3600 + 60},
		}, nil
	}, func(c []ledger.Charge) error { lines = append(lines, c...); return nil })
	if err != nil || len(lines) != 3 || s.Unmeasured != 2 {
		t.Fatalf("%v %d %d", err, len(lines), s.Unmeasured)
	}
	// Of the first 2370 seconds, 600 are known: 0.5 kWh of the GPUs, 1.5 kW of
	// the host; 6.5 kW for the rest. Then 2.5 kWh of the GPUs and 1.5 of the host.
	for i, want := range []string{
		"power 1.4205 (measured for 600 s, else fallback, 3.945833333333 kWh, PUE 1.2)",
		"power 1.44 (measured 4 kWh, PUE 1.2)", "power 2.34 (not measured, fallback 6.5 kWh, PUE 1.2)",
	} {
		if lines[i].Description != want {
			t.Errorf("%s, want %s", lines[i].Description, want)
		}
	}
	d, err := s.Finish(nil, 0)
	if err != nil || d.Totals[0].SourceTotal.Cmp(sum(lines)) != 0 {
		t.Errorf("%v %+v, lines %s", err, d.Totals, sum(lines))
	}
}

func TestMachines(t *testing.T) {
	entry := func(nodes string) *Owned {
		return parseBook(t, "name: b\nowned:\n- {name: r, gpus: 1, in_service: 2026-01-01, through: 2026-01-01, "+
			"currency: EUR, purchase_price: '0', "+nodes+"}\n").Owned[0]
	}
	for nodes, want := range map[string][]string{
		"nodes: [a, {name: b, provider_id: 'metal3://rack/uuid-1'}]": {"node/default/a", "uuid-1"},
		"cluster: k, nodes: {pattern: 'n-%d', first: 9, count: 2}":   {"node/k/n-9", "node/k/n-10"},
		"nodes: {pattern: '%03d.rack', first: 0, count: 2}":          {"node/default/000.rack", "node/default/001.rack"},
		"count: 2": {"node/default/r-1", "node/default/r-2"},
	} {
		var got []string
		for _, m := range entry(nodes).Machines {
			got = append(got, m.InstanceID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v", nodes, got)
		}
	}
}

func TestMonthsThatTheBookSettles(t *testing.T) {
	b := parseBook(t, strings.Replace(rack, "issued_at", "from: 2026-08-20\nissued_at", 1))
	var got []string
	_, deliveries := write(t, b, nil)
	for _, d := range deliveries {
		got = append(got, fmt.Sprintf("%s %d", d.Partition, d.Rows))
	}
	if want := []string{"2026-08 0", "2026-09 0", "2026-10 0", "2026-11 1476"}; !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	if b = parseBook(t, strings.Replace(rack, "through: 2026-11", "through: 2026-10", 1)); len(b.Slots()) != 0 {
		t.Error("nothing is in service yet")
	}
}

func TestOwnedOfTenYears(t *testing.T) {
	b := parseBook(t, `name: b
from: 2006-01-01
owned:
- {name: r, nodes: [a], gpus: 8, in_service: 2016-01-01, through: 2025-12-31, currency: EUR, purchase_price: "1", depreciation: straight_line, life_months: 120}
- {name: s, nodes: [b], gpus: 8, in_service: 2016-01-01, retired: 2025-12-31, through: 9999-12-31, currency: EUR, purchase_price: "0"}
`)
	if got := len(b.Slots()); got != 240 {
		t.Errorf("%d months are settled", got)
	}
}

func TestOwnedRefusals(t *testing.T) {
	const good = "{name: r, cluster: c, nodes: [a], gpus: 8, in_service: 2026-01-01, through: 2026-01-31, currency: " +
		"EUR, purchase_price: '1'}"
	with := func(more string) string {
		return "name: b\nowned:\n- " + strings.Replace(good, "purchase_price: '1'", more, 1) + "\n"
	}
	line := "purchase_price: '1', depreciation: straight_line, life_months: 12"
	for name, c := range map[string]struct{ text, want string }{
		"no name":   {"owned:\n- " + good + "\n", "name missing value"},
		"no method": {with("purchase_price: '1'"), "depreciation missing value"},
		"method":    {with("purchase_price: '1', depreciation: guess"), "depreciation unknown method"},
		"no life":   {with("purchase_price: '1', depreciation: straight_line"), "life_months missing value"},
		"no rate": {
			with("purchase_price: '1', depreciation: declining_balance, life_months: 2"), "declining_rate missing value",
		},
		"unused": {with(line + ", life_hours: 3"), "life_hours unused value"},
		"rate": {
			with("purchase_price: '1', depreciation: declining_balance, life_months: 2, declining_rate: '40'"),
			"declining_rate out of range",
		},
		"life": {
			with("purchase_price: '1', depreciation: straight_line, life_months: 0"), "life_months out of range",
		},
		"residual":        {with(line + ", residual_value: '2'"), "residual_value out of range"},
		"price":           {with("purchase_price: 1 000"), "purchase_price not a number"},
		"huge price":      {with("purchase_price: 1e90"), "purchase_price too large"},
		"fine price":      {with("purchase_price: '0.0000000000001'"), "purchase_price too many decimals"},
		"negative":        {with("purchase_price: '-1'"), "purchase_price negative"},
		"unknown":         {with(line + ", colour: red"), "colour unknown key"},
		"no gpus":         {strings.Replace(with(line), "gpus: 8, ", "", 1), "gpus missing value"},
		"gpus":            {strings.Replace(with(line), "gpus: 8", "gpus: 0.5", 1), "gpus out of range"},
		"no nodes":        {strings.Replace(with(line), "nodes: [a]", "region: x", 1), "nodes missing value"},
		"empty nodes":     {strings.Replace(with(line), "[a]", "[]", 1), "nodes missing value"},
		"two nodes":       {strings.Replace(with(line), "[a]", "[a, a]", 1), "nodes repeated node"},
		"nodes and count": {with(line + ", count: 2"), "count unused value"},
		"pattern": {
			strings.Replace(with(line), "[a]", "{pattern: x, count: 2}", 1), "nodes.pattern not a pattern",
		},
		"two places": {
			strings.Replace(with(line), "[a]", "{pattern: '%d%d', count: 2}", 1), "nodes.pattern not a pattern",
		},
		"no count": {strings.Replace(with(line), "[a]", "{pattern: 'x%d'}", 1), "nodes.count missing value"},
		"many": {
			strings.Replace(with(line), "[a]", "{pattern: 'x%d', count: 100001}", 1), "nodes.count out of range",
		},
		"no through": {strings.Replace(with(line), "through: 2026-01-31, ", "", 1), "through missing value"},
		"half hour": {
			strings.Replace(with(line), "2026-01-31", "2026-01-31T00:30:00Z", 1), "through not a whole hour",
		},
		"date":    {strings.Replace(with(line), "2026-01-31", "soon", 1), "through not a date"},
		"retired": {with(line + ", retired: 2025-01-01"), "retired end before start"},
		"life of centuries": {
			with("purchase_price: '1', depreciation: straight_line, life_months: 121"), "life_months out of range",
		},
		"hours of centuries": {
			with("purchase_price: '1', depreciation: units, life_hours: 87841"), "life_hours out of range",
		},
		"first machine": {strings.Replace(with(line), "2026-01-01", "1970-01-02", 1), "in_service out of range"},
		"last machine": {
			strings.NewReplacer("2026-01-01", "9999-01-01", "2026-01-31", "9999-12-31").Replace(with(line)),
			"in_service out of range",
		},
		"a day too much":   {strings.Replace(with(line), "2026-01-31", "2036-01-01", 1), "through too long"},
		"settles too much": {"from: 2006-01-01\n" + with(line), "from too long"},
		"far apart": {with(line) + "- " +
			strings.NewReplacer("purchase_price: '1'", line, "2026", "2046", "[a]", "[b]").Replace(good) + "\n",
			"from too long"},
		"centuries":  {strings.Replace(with(line), "2026-01-31", "2926-01-31", 1), "through too long"},
		"currency":   {strings.Replace(with(line), "EUR", "euro", 1), "currency unknown unit"},
		"cost":       {with(line + ", staff_monthly: {share: '1'}"), "staff_monthly missing value"},
		"cost twice": {with(line + ", staff_monthly: {amount: '1', total: '1'}"), "staff_monthly missing value"},
		"share":      {with(line + ", staff_monthly: {amount: '1', share: '2'}"), "staff_monthly.share out of range"},
		"tags":       {with(line + ", tags: [a]"), "tags not an entry"},
		"tag":        {with(line + ", tags: {a: [b]}"), "tags not a value"},
		"no tariff":  {with(line + ", power: {draw_kw: '1'}"), "power.tariff_per_kwh missing value"},
		"no draw":    {with(line + ", power: {tariff_per_kwh: '1'}"), "power.draw_kw missing value"},
		"no fallback": {
			with(line + ", power: {measured: true, tariff_per_kwh: '1'}"), "power.fallback_kw missing value",
		},
		"draw and measured": {
			with(line + ", power: {measured: true, draw_kw: '1', fallback_kw: '1', tariff_per_kwh: '1'}"),
			"power.draw_kw unused value",
		},
		"measured": {
			with(line + ", power: {measured: maybe, draw_kw: '1', tariff_per_kwh: '1'}"), "power.measured not a yes or no",
		},
		"pue": {
			with(line + ", power: {draw_kw: '1', pue: '0.9', tariff_per_kwh: '1'}"), "power.pue out of range",
		},
		"late tariff": {
			with(line + ", power: {draw_kw: '1', tariff_per_kwh: [{from: 2026-01-02, price: '1'}]}"), "power missing value",
		},
		"two tariffs": {
			with(line + ", power: {draw_kw: '1', tariff_per_kwh: [{price: '1'}, {price: '2'}]}"),
			"power.tariff_per_kwh overlapping entries",
		},
		"no tariffs": {
			with(line + ", power: {draw_kw: '1', tariff_per_kwh: []}"), "power.tariff_per_kwh missing value",
		},
		"node twice": {
			strings.TrimSuffix(with(line), "\n") + "\n- " + strings.Replace(good, "purchase_price: '1'", line, 1) + "\n",
			"nodes overlapping entries",
		},
		"settles too little": {"from: 2026-02-01\n" + with(line), "from out of range"},
		"too many lines": {
			strings.NewReplacer("[a]", "{pattern: 'x%d', count: 100000}", "2026-01-31", "2028-01-31").Replace(with(line)),
			" too large",
		},
	} {
		b, tally, err := Parse(strings.NewReader(c.text), "book.yaml")
		if err != nil || len(tally.First) == 0 || len(b.Owned) != 0 {
			t.Errorf("%s: %v %+v", name, err, tally)
			continue
		}
		x := tally.First[0]
		if got := x.Column + " " + x.Reason; got != c.want || x.Line == 0 || x.Detail == "" {
			t.Errorf("%s: line %d %s: %s, want %s", name, x.Line, got, x.Detail, c.want)
		}
	}
}

// Any book adds up, line by line and life by life.
func TestAnyBookAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := func(label string, most int64) string {
			return money.FromUnits(rapid.Int64Range(0, most).Draw(t, label)).String()
		}
		in := period.Second(1767225600 + rapid.Int64Range(0, 50*period.Day).Draw(t, "in service"))
		residual := rapid.Int64Range(0, 1_000_000_000_000).Draw(t, "residual")
		price := residual + rapid.Int64Range(0, 5_000_000_000_000_000).Draw(t, "price")
		life := rapid.IntRange(1, 3).Draw(t, "life")
		method := rapid.SampledFrom([]string{
			fmt.Sprintf("depreciation: straight_line, life_months: %d", life),
			fmt.Sprintf("depreciation: sum_of_years, life_months: %d", life),
			fmt.Sprintf("depreciation: declining_balance, declining_rate: '0.37', life_months: %d", life),
			fmt.Sprintf("depreciation: units, life_hours: %d", life*250),
		}).Draw(t, "method")
		cost := func(key string) string {
			switch rapid.IntRange(0, 3).Draw(t, key) {
			case 0:
				return ""
			case 1:
				return ", " + key + ": '" + amount(key, 1e15) + "'"
			case 2:
				return ", " + key + ": {total: '" + amount(key, 1e15) + "', share: '0.333'}"
			}
			return ", " + key + ": {amount: '" + amount(key, 1e15) + "', share: '0.07'}"
		}
		extra := cost("colocation_monthly") + cost("support_annual") + cost("staff_monthly")
		if rapid.Bool().Draw(t, "interest") {
			extra += ", opportunity_rate: '0.0731'"
		}
		energy := map[period.Second]ledger.MeasuredEnergy{}
		switch rapid.IntRange(0, 2).Draw(t, "power") {
		case 1:
			extra += ", power: {draw_kw: '" + amount("draw", 1e13) +
				"', pue: '1.37', tariff_per_kwh: [{price: '0.113'}, {from: 2026-03-03T01:02:03Z, price: '0.29'}]}"
		case 2:
			extra += ", power: {measured: true, fallback_kw: '3.3', host_kw: '0.77', tariff_per_kwh: '" +
				amount("tariff", 1e12) + "'}"
			for range rapid.IntRange(0, 20).Draw(t, "measured hours") {
				energy[in.Floor(period.Hour)+period.Second(rapid.IntRange(0, 200).Draw(t,
					"hour")*period.Hour)] = ledger.MeasuredEnergy{
					Joules: rapid.Int64Range(0, 1e8).Draw(t, "joules"), DeviceSeconds: rapid.Int64Range(0, 4000).Draw(t, "known")}
			}
		}
		retired := ""
		if rapid.Bool().Draw(t, "retires") {
			retired = ", retired: '" + (in + period.Second(rapid.Int64Range(1, 80*period.Day).Draw(t, "retired"))).String() + "'"
		}
		machines := rapid.IntRange(1, 2).Draw(t, "machines")
		text := fmt.Sprintf("name: b\nowned:\n- {name: r, gpus: 1, count: %d, in_service: '%s', through: 2026-05, "+
			"currency: EUR, purchase_price: '%s', residual_value: '%s', %s%s%s}\n",
			machines, in, money.FromUnits(price), money.FromUnits(residual), method, extra, retired)
		b, tally, err := Parse(strings.NewReader(text), "b")
		if err != nil || tally.Refusals() != 0 {
			t.Fatalf("%v %+v %s", err, tally, text)
		}
		var lines []ledger.Charge
		for _, s := range b.Slots() {
			start := len(lines)
			if err := s.Write(func(string, string, period.Interval) (map[period.Second]ledger.MeasuredEnergy, error) {
				return energy, nil
			},
				func(c []ledger.Charge) error { lines = append(lines, c...); return nil }); err != nil {
				t.Fatal(err)
			}
			d, err := s.Finish(nil, 0)
			if err != nil || len(d.Totals) != 3 || d.Totals[0].SourceTotal.Cmp(sum(lines[start:])) != 0 ||
				d.Totals[0].Charges != int64(len(lines)-start) {
				t.Fatalf("%s: %v, totals %+v, lines %s\n%s", s.Month, err, d.Totals, sum(lines[start:]), text)
			}
		}
		if extra == "" && retired == "" {
			if want := money.FromUnits(price - residual).Rat(); sum(lines).Rat().Cmp(want.Mul(want,
				big.NewRat(int64(machines), 1))) != 0 {
				t.Fatalf("%s of %s\n%s", sum(lines), want, text)
			}
		}
	})
}

func TestTagsAreSharedNotCopied(t *testing.T) {
	lines, _ := write(t, parseBook(t, rack), nil)
	if !maps.Equal(lines[0].Tags, lines[len(lines)-1].Tags) {
		t.Error("tags differ")
	}
}

// The worked example of docs/connect/price-book.md.
func TestTheExampleOfTheDocumentation(t *testing.T) {
	text, err := os.ReadFile("testdata/dgx-h100-rack.yaml")
	if err != nil {
		t.Fatal(err)
	}
	b := parseBook(t, string(text))
	lines, deliveries := write(t, b, nil)
	if len(b.Rates) != 1 || len(deliveries) != 2 || len(lines) != 4*(744+720) {
		t.Fatalf("%d rates, %d deliveries, %d lines", len(b.Rates), len(deliveries), len(lines))
	}
	november := lines[4*744:]
	const line = "depreciation 7.222222222223 + power 1.8 (draw 8 kWh, PUE 1.25) + colocation 2 + support " +
		"1.666666666667 + staff 1.25 + opportunity 2.380555555556"
	if c := november[0]; c.Description != line || c.Effective.String() != "16.319444444446" {
		t.Errorf("%s: %s", c.Effective, c.Description)
	}
	if sum(november).String() != "47000" || sum(november[:720]).String() != "11750" {
		t.Errorf("four nodes %s, one %s", sum(november), sum(november[:720]))
	}
	docs, err := os.ReadFile("../../docs/connect/price-book.md")
	if err != nil || !strings.Contains(string(docs), line) {
		t.Errorf("docs/connect/price-book.md has another line: %v", err)
	}
}
