package e2e

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gpuledger/metrics"
)

// byKey are the digits of a column by the values of a key.
func (a *answer) byKey(t testing.TB, key, column string) map[string]string {
	t.Helper()
	k, c, out := a.column(t, key), a.column(t, column), map[string]string{}
	for _, row := range a.rows {
		if row[k] != null && row[k] != "" && row[c] != null && row[c] != "" {
			out[row[k]] = row[c]
		}
	}
	return out
}

// oneFigure compares the places that show a figure under one label: datasets over HTTP and by the command line, SQL
// views and pages show the same digits.
func (s *served) oneFigure(t *testing.T) {
	conn := connect(t, s.db)
	sql := func(text string) map[string]string {
		return scan[map[string]string](t, conn,
			"select coalesce(jsonb_object_agg(key, trim_scale(value)::text) filter (where value is not null), '{}') from ("+text+") x")
	}
	dataset := func(name, key, column, by, filter string) map[string]string {
		t.Helper()
		query, args := "filter="+url.QueryEscape(filter), []string{s.db, "report", name, "--format=csv", "--filter=" + filter}
		if by != "" {
			query, args = query+"&group_by="+by, append(args, "--group-by="+by)
		}
		rest := s.table(t, name, query).byKey(t, key, column)
		same(t, name+"."+column+" by the command line where "+filter, rest,
			decodeCSV(t, must(t, args...)).byKey(t, key, column))
		return rest
	}
	of := func(filter, more string) string {
		return strings.TrimPrefix(strings.TrimSuffix(filter+" and "+more, " and "), " and ")
	}
	runs := dataset("runs", "team", "completed_cost", "team", "status = succeeded and currency = USD")
	team := ""
	for name := range runs {
		team = max(team, name)
	}
	if team == "" {
		t.Fatal("no team completed a run")
	}
	for _, filter := range []string{"", "team = " + quoted(team)} {
		where, page := "true", ""
		if filter != "" {
			where, page = filter, "?team="+url.QueryEscape(team)
		}
		completed := dataset("runs", "currency", "cost_per_completed_run", "currency", filter)
		same(t, "bi_v1.runs: cost per completed run where "+where, completed,
			sql("select currency as key, round(sum(effective_cost) / count(effective_cost), 12) as value from bi_v1.runs "+
				"where status = 'succeeded' and currency is not null and "+where+" group by 1"))
		for _, path := range []string{"/", "/training"} {
			s.shows(t, path+page, "Per completed run", completed)
		}
		idle := dataset("costs", "cluster", "idle_share", "cluster", of(filter, "cluster != ''"))
		same(t, "bi_v1.costs_hourly: idle share where "+where, idle,
			sql("select cluster as key, round(coalesce(sum(capacity_gpu_hours) filter (where cause in ('held_idle', 'free', "+
				"'stranded', 'unavailable')), 0) / nullif(sum(capacity_gpu_hours) filter (where cause <> 'unobserved' or "+
				"gpu_hours > 0), 0), 12) as value from bi_v1.costs_hourly where cluster is not null and "+where+" group by 1"))
		owned := dataset("owner_coverage", "key", "owned_share", "", of(filter, "currency = USD"))
		for key, digits := range owned {
			s.tells(t, "/coverage"+join(page, "currency=USD"), "<bdi>"+strings.ReplaceAll(key, "_", " ")+"</bdi>", digits)
		}
		if filter == "" { // unheld capacity has no team
			same(t, "bi_v1.owner_coverage: owned share", owned,
				sql("select key, owned_share as value from bi_v1.owner_coverage where currency = 'USD'"))
			same(t, "idle_hours: idle share", idle, dataset("idle_hours", "cluster", "idle_share", "cluster", "cluster != ''"))
		}
	}
	for provider := range dataset("costs", "provider", "idle_share", "provider", "cluster != ''") {
		filter := "provider = " + quoted(provider)
		idle := dataset("costs", "cluster", "idle_share", "cluster", of(filter, "cluster != ''"))
		same(t, "bi_v1.costs_hourly: idle share where "+filter, idle,
			sql("select cluster as key, round(coalesce(sum(capacity_gpu_hours) filter (where cause in ('held_idle', 'free', "+
				"'stranded', 'unavailable')), 0) / nullif(sum(capacity_gpu_hours) filter (where cause <> 'unobserved' or "+
				"gpu_hours > 0), 0), 12) as value from bi_v1.costs_hourly where cluster is not null and provider = '"+provider+"' group by 1"))
	}
	s.idleByHour(t)
	known := dataset("spot", "group_value", "known_share", "", "group_key = instance_type and currency = USD")
	same(t, "bi_v1.spot: known share", known,
		sql("select group_value as key, known_share as value from bi_v1.spot where group_key = 'instance_type' and "+
			"currency = 'USD'"))
	spot := dataset("spot", "currency", "net_savings", "currency", "")
	same(t, "spot by instance type", spot,
		sql("select currency as key, sum(net_savings) as value from bi_v1.spot where group_key = 'instance_type' and "+
			"net_savings is not null group by 1"))
	same(t, "spot, posting by posting", spot,
		sql("select currency as key, sum(gross_savings) - sum(lost_cost) as value from bi_v1.spot_postings group by 1 "+
			"having count(gross_savings) > 0"))
	s.shows(t, "/spot", "Net savings", spot)
	ofRuns := dataset("runs", "currency", "net_spot_savings", "currency", "")
	same(t, "attempts: net spot savings", ofRuns, dataset("attempts", "currency", "net_spot_savings", "currency", ""))
	same(t, "bi_v1.runs: net spot savings", ofRuns,
		sql("select currency as key, sum(net_spot_savings) as value from bi_v1.runs where net_spot_savings is not null "+
			"and currency is not null group by 1"))
	s.shows(t, "/training", "Net spot savings", ofRuns)
	unused := dataset("commitments", "currency", "unused_cost", "currency", "")
	same(t, "costs: unused commitments", unused,
		dataset("costs", "currency", "effective_cost", "", "cause = commitment_unused"))
	same(t, "bi_v1.commitments: unused", unused,
		sql("select currency as key, sum(unused_cost) as value from bi_v1.commitments where unused_cost is not null "+
			"group by 1"))
	s.shows(t, "/commitments", "Unused commitments", unused)
	unowned := dataset("owner_coverage", "currency", "unowned_cost", "", "key = team")
	same(t, "costs: unowned", unowned, dataset("costs", "currency", "effective_cost", "", "team = unowned"))
	same(t, "bi_v1.owner_coverage: unowned", unowned,
		sql("select currency as key, unowned_cost as value from bi_v1.owner_coverage where key = 'team'"))
}

// idleByHour compares the idle shares on the page of waste with those of the dataset, each next to its hours.
func (s *served) idleByHour(t *testing.T) {
	t.Helper()
	a, want := s.table(t, "idle_hours", "group_by=hour_of_week"), map[string]bool{}
	for _, row := range a.rows {
		var cells []string
		for _, name := range []string{"capacity_gpu_hours", "free_gpu_hours", "free_share", "idle_share"} {
			cells = append(cells, row[a.column(t, name)])
		}
		want[strings.Join(cells, " ")] = true
	}
	_, panel, _ := strings.Cut(s.get(t, "/waste"), ">Free capacity by hour of the week</h2>")
	panel, _, _ = strings.Cut(panel, "</table>")
	rows := 0
	for _, row := range strings.Split(panel, "<tr")[1:] {
		var cells []string
		for _, m := range exactDigits.FindAllStringSubmatch(row, -1) {
			cells = append(cells, m[1])
		}
		if len(cells) < 4 {
			continue // the head
		}
		if rows++; !want[strings.Join(cells[len(cells)-4:], " ")] {
			t.Errorf("/waste: idle_hours has no row of %v", cells)
		}
	}
	if rows == 0 {
		t.Error("/waste lists no idle share")
	}
}

var exactDigits = regexp.MustCompile(`data-exact="([^"]*)"`)

// tells looks for a row of a page, and for the digits in it.
func (s *served) tells(t *testing.T, path, row, digits string) {
	t.Helper()
	_, rest, ok := strings.Cut(s.get(t, path), row)
	rest, _, _ = strings.Cut(rest, "</tr>")
	if !ok || !strings.Contains(rest, `data-exact="`+digits+`"`) {
		t.Errorf("%s: no %s in the row of %s", path, digits, row)
	}
}

// join adds a parameter to a query, which may be empty.
func join(query, more string) string {
	if query == "" {
		return "?" + more
	}
	return query + "&" + more
}

// oneTarget looks for the tiles of targets: the newest day of the dataset under a heading that names it, and the whole
// fleet even if the query filters.
func (s *served) oneTarget(t *testing.T) {
	rows := s.table(t, "targets", "filter="+url.QueryEscape("target != unit_cost"))
	target, day, value := rows.column(t, "target"), rows.column(t, "day"), rows.column(t, "value")
	newest := map[string][2]string{}
	for _, row := range rows.rows {
		if row[day] > newest[row[target]][0] {
			newest[row[target]] = [2]string{row[day], row[value]}
		}
	}
	if len(newest) == 0 {
		t.Fatal("no target is judged")
	}
	for name, last := range newest {
		at, err := time.Parse(time.RFC3339, last[0])
		if err != nil {
			t.Fatal(err)
		}
		named := metrics.Targets[slices.IndexFunc(metrics.Targets,
			func(n metrics.NamedTarget) bool { return n.Name == name })]
		for path, of := range map[string]string{
			"/": "", "/?currency=USD": "", "/?team=vision": ", whole fleet", "/?provider=aws": ", whole fleet",
		} {
			if last[1] != null {
				s.shows(t, path, named.Label+of+", "+at.Format("2 Jan"), map[string]string{name: last[1]})
			}
		}
	}
}

// samePeriod opens every page of figures without a period: all of them show the same one.
func (s *served) samePeriod(t *testing.T) {
	period := regexp.MustCompile(`<summary>Period <b><bdi>([^<]*)</bdi></b></summary>`)
	pages := map[string]string{}
	for _, m := range pagePath.FindAllStringSubmatch(s.get(t, "/"), -1) {
		if _, known := pages[m[1]]; known {
			continue
		}
		pages[m[1]] = ""
		if shown := period.FindStringSubmatch(s.get(t, m[1])); shown != nil {
			pages[m[1]] = shown[1]
		}
	}
	with := 0
	for path, shown := range pages {
		if shown == "" || shown == "not by time" {
			continue
		}
		if with++; shown != pages["/"] {
			t.Errorf("%s shows %q, the overview %q", path, shown, pages["/"])
		}
	}
	if with < 10 {
		t.Errorf("%d pages have a period: %v", with, pages)
	}
}

// shows looks for a label on a page, and for the digits behind its figure.
func (s *served) shows(t *testing.T, path, label string, want map[string]string) {
	t.Helper()
	m := regexp.MustCompile(`(?s)>` + label + `</a></(?:dt|h3)>.*?data-exact="([^"]*)"`).FindStringSubmatch(s.get(t, path))
	if m == nil {
		t.Errorf("%s shows no %q", path, label)
		return
	}
	for _, digits := range want {
		if m[1] == digits {
			return
		}
	}
	t.Errorf("%s shows %s as %q, the dataset says %v", path, label, m[1], want)
}

// same compares figures digit by digit; none at all would prove nothing.
func same(t *testing.T, what string, want, got map[string]string) {
	t.Helper()
	if len(want) == 0 || fmt.Sprint(want) != fmt.Sprint(got) {
		t.Errorf("%s: %v, elsewhere %v", what, got, want)
	}
}
