package e2e

import (
	"fmt"
	"math/big"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gpuledger/metrics"
)

// additive are the cost columns that add up.
var additive = []string{
	"effective_cost", "billed_cost", "list_cost", "contracted_cost", "gpu_hours",
	"used_gpu_hours", "active_gpu_hours", "energy_kwh", "capacity_gpu_hours",
}

// addsUp compares the sums of some answers with the sums of a whole, per
// currency: money of two currencies is never added.
func addsUp(t testing.TB, what string, whole *answer, parts ...*answer) {
	t.Helper()
	currencies := map[string]bool{}
	for _, a := range append(parts, whole) {
		for _, row := range a.rows {
			currencies[row[a.column(t, "currency")]] = true
		}
	}
	for currency := range currencies {
		for _, column := range additive {
			sum := func(a *answer) *big.Rat {
				if len(a.rows) == 0 {
					return nil
				}
				at := a.column(t, "currency")
				return a.total(t, column, func(row []string) bool { return row[at] == currency })
			}
			var got *big.Rat
			for _, p := range parts {
				if v := sum(p); got == nil {
					got = v
				} else if v != nil {
					got = new(big.Rat).Add(got, v)
				}
			}
			if want := sum(whole); !sameNumber(want, got) {
				t.Errorf("%s: %s %s adds up to %s, not %s", what, column, currency, digits(got), digits(want))
			}
		}
	}
}

// views compares the SQL views with the API.
func (s *served) views(t *testing.T) {
	conn := connect(t, s.db)
	check := func(view string, api *answer, columns []string) {
		t.Helper()
		if len(columns) == 0 {
			return
		}
		var sums []string
		for _, column := range columns {
			sums = append(sums, fmt.Sprintf("sum(%q)::text", column))
		}
		got := scan[[]*string](t, conn, "select array["+strings.Join(sums, ", ")+"] from bi_v1."+view)
		for i, column := range columns {
			var sum *big.Rat
			if got[i] != nil {
				sum, _ = new(big.Rat).SetString(*got[i])
			}
			if want := api.total(t, column, nil); !sameNumber(want, sum) {
				t.Errorf("bi_v1.%s: Σ %s is %s, the API's %s", view, column, digits(sum), digits(want))
			}
		}
	}
	for _, c := range contract {
		d, err := metrics.LookupDataset(c.dataset)
		if err != nil {
			t.Fatal(err)
		}
		api := s.table(t, c.dataset, "")
		if n := scan[int](t, conn, "select count(*) from bi_v1."+c.dataset); n != len(api.rows) {
			t.Errorf("bi_v1.%s has %d rows, the API %d", c.dataset, n, len(api.rows))
		}
		var numbers, names []string
		for _, col := range (metrics.Query{Dataset: d}).Columns() {
			if names = append(names, col.Name); col.Kind.Decimal() || col.Kind.Integer() {
				numbers = append(numbers, col.Name)
			}
		}
		check(c.dataset, api, numbers)
		have := scan[[]string](t, conn,
			"select array_agg(column_name::text order by ordinal_position) from information_schema.columns where "+
				"table_schema = 'bi_v1' and table_name = $1", c.dataset)
		if !slices.Equal(have, names) {
			t.Errorf("bi_v1.%s has the columns %v, the API %v", c.dataset, have, names)
		}
	}
	total := s.table(t, "costs", "")
	for _, view := range []string{"costs_hourly", "costs_daily"} {
		check(view, total, additive)
		for _, k := range metrics.Keys {
			if scan[int](t, conn, "select count(*) from information_schema.columns where table_schema = 'bi_v1' and "+
				"table_name = $1 and column_name = $2", view, k.Name) != 1 {
				t.Errorf("bi_v1.%s lacks %s", view, k.Name)
			}
		}
	}
	byTeam := s.table(t, "costs", "granularity=day&group_by=team,cause")
	var want []string
	for _, row := range byTeam.rows {
		var cells []string
		for _, name := range []string{"period_start", "team", "cause", "currency", "effective_cost", "gpu_hours"} {
			cells = append(cells, strings.Replace(row[byTeam.column(t, name)], null, "-", 1))
		}
		want = append(want, strings.Join(cells, " "))
	}
	slices.Sort(want)
	got := scan[[]string](t, conn, `select array_agg(line) from (
		select concat_ws(' ', to_char(period_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), team, cause,
		    coalesce(currency, '-'),
			coalesce(trim_scale(sum(effective_cost))::text, '-'), coalesce(trim_scale(sum(gpu_hours))::text, '-')) as line
		from bi_v1.costs_daily group by period_start, team, cause, currency) x`)
	slices.Sort(got)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("bi_v1.costs_daily differs from the API (-want +got):\n%s", clip(d))
	}
}

var (
	exactRunCost = regexp.MustCompile(`data-exact-cost="([^"]*)"`)
	exactFigure  = regexp.MustCompile(`class="big[^>]*data-exact="([^"]*)"`)
)

// pages compares pages with report and API to the last digit.
func (s *served) pages(t *testing.T) {
	api, cli := s.table(t, "runs", "order=-effective_cost"),
		decodeCSV(t, must(t, s.db, "report", "runs", "--order=-effective_cost", "--format=csv"))
	if len(api.rows) < 50 || len(api.rows) != len(cli.rows) {
		t.Fatalf("%d runs of the API, %d of the command line", len(api.rows), len(cli.rows))
	}
	id, cost := api.column(t, "run_id"), api.column(t, "effective_cost")
	shown := 0
	for i, row := range api.rows {
		if cli.rows[i][id] != row[id] || cli.rows[i][cost] != strings.Trim(row[cost], null) {
			t.Fatalf("run %s costs %s, by the command line %s %s", row[id], row[cost], cli.rows[i][id], cli.rows[i][cost])
		}
		if i%4 != 0 && i > 10 {
			continue
		}
		var path []string
		for part := range strings.SplitSeq(row[id], "/") {
			path = append(path, url.PathEscape(part))
		}
		m := exactRunCost.FindStringSubmatch(s.get(t, "/runs/"+strings.Join(path, "/")))
		if m == nil && row[cost] != null || m != nil && m[1] != row[cost] {
			t.Errorf("the page of %s shows %v, the API %s", row[id], m, row[cost])
		}
		shown++
	}
	if shown < 20 {
		t.Errorf("only %d pages compared", shown)
	}
	for _, window := range []string{"from=2026-11-01&to=2026-12-01", "from=2026-11-02&to=2026-11-03"} {
		fleet := s.table(t, "costs", window+"&filter="+url.QueryEscape("cause != non_gpu")).total(t, "effective_cost", nil)
		m := exactFigure.FindStringSubmatch(s.get(t, "/?"+window))
		if m == nil {
			t.Fatal("the overview shows no exact figure")
		}
		if got, ok := new(big.Rat).SetString(m[1]); !ok || !sameNumber(got, fleet) {
			t.Errorf("%s: the overview shows %s, the API %s", window, m[1], digits(fleet))
		}
	}
}

// filters compares filters with selecting from the unfiltered rows by hand.
func (s *served) filters(t *testing.T) {
	const groups = "group_by=team,cause,pricing"
	all := s.table(t, "costs", groups)
	team, cause, pricing := all.column(t, "team"), all.column(t, "cause"), all.column(t, "pricing")
	x := ""
	for _, row := range all.rows {
		if row[cause] == "lost" {
			x = row[team]
		}
	}
	for filter, keep := range map[string]func(row []string) bool{
		"team = " + x + " and cause in (used, lost, held_idle)": func(r []string) bool {
			return r[team] == x && (r[cause] == "used" || r[cause] == "lost" || r[cause] == "held_idle")
		},
		"not (team = '" + x + "' or cause = free)": func(r []string) bool { return r[team] != x && r[cause] != "free" },
		"team != " + x:    func(r []string) bool { return r[team] != x },
		`cause like "u%"`: func(r []string) bool { return strings.HasPrefix(r[cause], "u") },
		"pricing = ''":    func(r []string) bool { return r[pricing] == null || r[pricing] == "" },
		"pricing in (spot, '')": func(r []string) bool {
			return r[pricing] == null || r[pricing] == "" || r[pricing] == "spot"
		},
		"pricing != spot":       func(r []string) bool { return r[pricing] != "spot" },
		"not pricing like 's%'": func(r []string) bool { return r[pricing] == null || !strings.HasPrefix(r[pricing], "s") },
		"cause in (" + x + ")":  func([]string) bool { return false },
		"team = " + x + " or cause = lost and pricing = spot": func(r []string) bool {
			return r[team] == x || r[cause] == "lost" && r[pricing] == "spot"
		},
	} {
		want := &answer{columns: all.columns}
		for _, row := range all.rows {
			if keep(row) {
				want.rows = append(want.rows, row)
			}
		}
		got := s.table(t, "costs", groups+"&filter="+url.QueryEscape(filter))
		if len(got.rows) == 0 && len(want.rows) == 0 {
			continue
		}
		sameCells(t, filter, want, got)
		if len(want.rows) == 0 || len(want.rows) == len(all.rows) {
			t.Errorf("%s: %d of %d rows prove nothing", filter, len(want.rows), len(all.rows))
		}
		addsUp(t, filter, want, s.table(t, "costs", "filter="+url.QueryEscape(filter)))
	}
}

// windows cuts time: half-open pieces add up to the whole.
func (s *served) windows(t *testing.T) {
	whole, random := s.table(t, "costs", ""), seeded(t)
	from, to := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	query := func(from, to string) *answer {
		return s.table(t, "costs", "from="+url.QueryEscape(from)+"&to="+url.QueryEscape(to))
	}
	day := func(n int) string { return fmt.Sprintf("2026-11-%02d", n) }
	addsUp(t, "open ends", whole, query("", "2026-11-03T07:00"), query("2026-11-03T07:00", ""))
	addsUp(t, "days", whole, query("", day(2)), query(day(2), day(3)), query(day(3), day(4)), query(day(4), ""))
	for range 3 {
		cuts := []time.Time{from}
		for range 4 {
			cuts = append(cuts, time.Date(2026, 11, 2, random.IntN(48), random.IntN(60), random.IntN(60), 0, time.UTC))
		}
		cuts = append(cuts, to)
		slices.SortFunc(cuts, time.Time.Compare)
		cuts = slices.Compact(cuts)
		var pieces []*answer
		for i := range len(cuts) - 1 {
			pieces = append(pieces, query(cuts[i].Format(time.RFC3339), cuts[i+1].Format(time.RFC3339)))
		}
		addsUp(t, fmt.Sprint("cuts at ", cuts), whole, pieces...)
	}
	// The piece of each run inside a window adds up as well.
	parts := func(column string, windows ...string) *big.Rat {
		sum := new(big.Rat)
		for _, w := range windows {
			if v := s.table(t, "runs", w).total(t, column, nil); v != nil {
				sum.Add(sum, v)
			}
		}
		return sum
	}
	if all, cut := parts("effective_cost", ""), parts("window_effective_cost", "to=2026-11-03T05:00",
		"from=2026-11-03T05:00"); !sameNumber(all, cut) {
		t.Errorf("runs cost %s, inside two windows %s", digits(all), digits(cut))
	}
}

func (s *served) granularities(t *testing.T) {
	for _, zone := range []string{"UTC", "Asia/Kolkata", "America/New_York"} {
		for _, g := range []string{"total", "hour", "day", "week", "month"} {
			for _, window := range []string{"", "&from=2026-11-02T13:00:00Z&to=2026-11-03T02:00:00Z"} {
				name := g + " in " + zone + window
				query := "&tz=" + zone + window
				got := s.table(t, "costs", "granularity="+g+query)
				addsUp(t, name, s.table(t, "costs", query), got)
				start, end := got.column(t, "period_start"), got.column(t, "period_end")
				for _, row := range got.rows {
					if row[start] >= row[end] {
						t.Errorf("%s: a period from %s to %s", name, row[start], row[end])
					}
				}
			}
		}
	}
}

// groupKeys groups by every key of the contract.
func (s *served) groupKeys(t *testing.T) {
	const keys = `tenant business_unit provider billing_account account billing_period region zone cluster node instance_type gpu_model device slice mig_profile
		pricing commitment service_name namespace workload_kind workload_class workload pod run attempt group service team project model model_version stage
		environment cost_center experiment dataset user priority queue cause charge_category quality state tag:CostCenter tag:team label:team label:app`
	whole := s.table(t, "costs", "")
	for key := range strings.FieldsSeq(keys) {
		got := s.table(t, "costs", "group_by="+url.QueryEscape(key))
		got.column(t, key)
		addsUp(t, "by "+key, whole, got)
	}
	addsUp(t, "by many", whole, s.table(t, "costs", "granularity=day&group_by=team,cause,node,pricing,run,quality"))
}

// columnFilters filters every dataset by single values of its columns.
func (s *served) columnFilters(t *testing.T) {
	random := seeded(t)
	for _, c := range contract {
		d, err := metrics.LookupDataset(c.dataset)
		if err != nil {
			t.Fatal(err)
		}
		if d.Grouped {
			continue
		}
		ask := func(filter string) *answer { // CSV: the fastest to read
			return decodeCSV(t, s.get(t, "/api/v1/"+c.dataset+"?format=csv&filter="+url.QueryEscape(filter)))
		}
		all := ask("")
		columns := slices.DeleteFunc(slices.Clone(d.Columns), func(col metrics.Column) bool { return !col.Filter })
		random.Shuffle(len(columns), func(i, j int) { columns[i], columns[j] = columns[j], columns[i] })
		for _, col := range columns[:min(len(columns), 5)] {
			at := all.column(t, col.Name)
			value := all.rows[random.IntN(len(all.rows))][at]
			for filter, keep := range map[string]func(string) bool{
				col.Name + " = " + quoted(value):                     func(v string) bool { return v == value },
				"not " + col.Name + " in (" + quoted(value) + ",'')": func(v string) bool { return v != value && v != "" },
			} {
				want := &answer{columns: all.columns}
				for _, row := range all.rows {
					if keep(row[at]) {
						want.rows = append(want.rows, row)
					}
				}
				sameCells(t, c.dataset+" where "+filter, want, ask(filter))
			}
		}
	}
}

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
