package main

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// byKey are the digits of a column per value of a key.
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

// oneFigure walks the places that show a figure under one label: datasets over
// HTTP and by the command line, SQL views and pages say the same digits.
func (s *served) oneFigure(t *testing.T) {
	conn := connect(t, s.db)
	sql := func(text string) map[string]string {
		return scan[map[string]string](t, conn, "select coalesce(jsonb_object_agg(key, trim_scale(value)::text) filter (where value is not null), '{}') from ("+text+") x")
	}
	dataset := func(name, key, column, by, filter string) map[string]string {
		t.Helper()
		query, args := "filter="+url.QueryEscape(filter), []string{s.db, "report", name, "--format=csv", "--filter=" + filter}
		if by != "" {
			query, args = query+"&group_by="+by, append(args, "--group-by="+by)
		}
		rest := s.table(t, name, query).byKey(t, key, column)
		same(t, name+"."+column+" by the command line where "+filter, rest, decodeCSV(t, must(t, args...)).byKey(t, key, column))
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
			sql("select currency as key, round(sum(effective_cost) / count(effective_cost), 12) as value from bi_v1.runs where status = 'succeeded' and currency is not null and "+where+" group by 1"))
		for _, path := range []string{"/", "/training"} {
			s.shows(t, path+page, "Per completed run", completed)
		}
		idle := dataset("costs", "cluster", "idle_share", "cluster", of(filter, "cluster != ''"))
		if filter == "" { // capacity that nobody held has no team
			same(t, "idle_hours: idle share", idle, dataset("idle_hours", "cluster", "idle_share", "cluster", "cluster != ''"))
		}
	}
	spot := dataset("spot", "currency", "net_savings", "currency", "")
	same(t, "spot by instance type", spot, sql("select currency as key, sum(net_savings) as value from bi_v1.spot where group_key = 'instance_type' and net_savings is not null group by 1"))
	same(t, "spot, posting by posting", spot, sql("select currency as key, sum(gross_savings) - sum(lost_cost) as value from bi_v1.spot_postings group by 1 having count(gross_savings) > 0"))
	s.shows(t, "/spot", "Net savings", spot)
	ofRuns := dataset("runs", "currency", "net_spot_savings", "currency", "")
	same(t, "attempts: net spot savings", ofRuns, dataset("attempts", "currency", "net_spot_savings", "currency", ""))
	same(t, "bi_v1.runs: net spot savings", ofRuns, sql("select currency as key, sum(net_spot_savings) as value from bi_v1.runs where net_spot_savings is not null and currency is not null group by 1"))
	s.shows(t, "/training", "Saved by spot, net", ofRuns)
	unused := dataset("commitments", "currency", "unused_cost", "currency", "")
	same(t, "costs: unused commitments", unused, dataset("costs", "currency", "effective_cost", "", "cause = commitment_unused"))
	same(t, "bi_v1.commitments: unused", unused, sql("select currency as key, sum(unused_cost) as value from bi_v1.commitments where unused_cost is not null group by 1"))
	s.shows(t, "/commitments", "Bought and not used", unused)
	unowned := dataset("owner_coverage", "currency", "unowned_cost", "", "key = team")
	same(t, "costs: unowned", unowned, dataset("costs", "currency", "effective_cost", "", "team = unowned"))
	same(t, "bi_v1.owner_coverage: unowned", unowned, sql("select currency as key, unowned_cost as value from bi_v1.owner_coverage where key = 'team'"))
	owned := dataset("owner_coverage", "currency", "owned_share", "", "key = team")
	same(t, "bi_v1.owner_coverage: owned", owned, sql("select currency as key, owned_share as value from bi_v1.owner_coverage where key = 'team'"))
	s.has(t, "/coverage", "Owner keys", 1, owned)
	s.has(t, "/waste", "Free capacity by hour of the week", 12, dataset("idle_hours", "hour_of_week", "idle_share", "hour_of_week", ""))
}

// has looks in the panel of a title for the digits of figures: at least so many of
// them are there.
func (s *served) has(t *testing.T, path, title string, least int, want map[string]string) {
	t.Helper()
	_, panel, _ := strings.Cut(s.get(t, path), "<h2>"+title+"</h2>")
	panel, _, _ = strings.Cut(panel, "<h2>")
	found := 0
	for _, digits := range want {
		if strings.Contains(panel, `data-exact="`+digits+`"`) {
			found++
		}
	}
	if found < least {
		t.Errorf("%s, %s: %d of %v are there, want %d", path, title, found, want, least)
	}
}

// oneLabel asks for every page of figures as it is opened: what two of them call by
// one name is one figure.
func (s *served) oneLabel(t *testing.T) {
	figure := regexp.MustCompile(`(?s)<(?:dt|h3)[^>]*>(?:<a[^>]*>)?([^<>]+)(?:</a>)?</(?:dt|h3)>(.*?)data-exact="([^"]*)"`)
	said := map[string][2]string{} // digits and page by label
	shared := 0
	for _, page := range pagePath.FindAllStringSubmatch(s.get(t, "/"), -1) {
		for _, m := range figure.FindAllStringSubmatch(s.get(t, page[1]), -1) {
			if strings.Contains(m[2], "<dt") || strings.Contains(m[2], "<h3") {
				continue // the digits are of a later label
			}
			first, known := said[m[1]]
			switch {
			case !known:
				said[m[1]] = [2]string{m[3], page[1]}
			case first[1] == page[1]:
			case first[0] != m[3]:
				t.Errorf("%q is %s on %s and %s on %s", m[1], first[0], first[1], m[3], page[1])
			default:
				shared++
			}
		}
	}
	if len(said) < 40 || shared == 0 {
		t.Errorf("%d labels, %d on two pages", len(said), shared)
	}
}

var pagePath = regexp.MustCompile(`href="(/[a-z]*)"`)

// samePeriod asks for every page of figures without a period: all of them show the
// same one.
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
		if shown == "" {
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
