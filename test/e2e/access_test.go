package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/metrics"
	"gpuledger/test/tier"
)

// asker is a user with a token.
type asker struct {
	*served
	token string
}

// tokenOf makes a token with a role and a scope.
func (s *served) tokenOf(t testing.TB, role string, scope ...string) *asker {
	t.Helper()
	args := []string{s.db, "token", "create", "--name", role, "--role", role, "--output", "json"}
	for _, expr := range scope {
		args = append(args, "--scope", expr)
	}
	var made struct{ ID, Token string }
	if err := json.Unmarshal([]byte(must(t, args...)), &made); err != nil || made.Token == "" {
		t.Fatalf("no token: %v", err)
	}
	return &asker{s, made.Token}
}

func (a *asker) ask(t testing.TB, path string, header ...string) (int, http.Header, string) {
	t.Helper()
	return a.served.ask(t, http.MethodGet, path, append(header, "Authorization", "Bearer "+a.token)...)
}

// rows reads a dataset; ok is false if it is refused.
func (a *asker) rows(t testing.TB, dataset string, q url.Values) (rows []map[string]string, text string, status int) {
	t.Helper()
	q.Set("limit", "100000")
	status, _, text = a.ask(t, "/api/v1/"+dataset+"?"+q.Encode())
	if status != http.StatusOK {
		return nil, text, status
	}
	got, cursor := decodeJSON(t, text)
	if cursor != "" {
		t.Fatalf("%s has more than a page", dataset)
	}
	for _, r := range got.rows {
		row := map[string]string{}
		for i, c := range got.columns {
			row[c] = r[i]
		}
		rows = append(rows, row)
	}
	return rows, text, status
}

// TestWhoSeesWhat serves a small fleet to scoped users: every query of theirs returns the admin's result with the scope
// as filter, and no name of others.
func TestWhoSeesWhat(t *testing.T) {
	db := smallLedger(t)
	s := &served{db: db}
	admin := s.tokenOf(t, "admin")
	s.url, _ = serveLedger(t, db, "--auth", "on")
	w := &seen{served: s, admin: admin, scopes: map[string]*asker{}}
	w.world(t)
	t.Run("questions", w.questions)
	t.Run("rows of their own", w.rowsOfTheirOwn)
	t.Run("questions about cards", w.deviceQuestions)
	t.Run("pages of devices", w.devicePages)
	t.Run("pages of own runs", w.runPages)
	t.Run("explanations", w.explanations)
	t.Run("links to explanations", w.links)
	t.Run("closed", w.closed)
	t.Run("entity tags", w.tags)
	t.Run("sql", w.sql)
}

// seen is a served ledger with scoped users.
type seen struct {
	*served
	admin  *asker
	scopes map[string]*asker   // by their condition
	names  map[string][]string // of others alone, by the condition
	keys   map[string][]string // values of the keys of scopes
}

// nameKeys are the keys with names of people and their work.
var nameKeys = []string{"team", "project", "namespace", "user", "experiment", "model", "workload", "run"}

// world reads the owners, and makes users with scopes of one key, of several and with clusters.
func (w *seen) world(t *testing.T) {
	t.Helper()
	w.keys = map[string][]string{}
	for _, key := range []string{"business_unit", "team", "project", "environment", "cluster"} {
		rows, _, _ := w.admin.rows(t, "costs", url.Values{"group_by": {key}})
		for _, r := range rows {
			value := strings.TrimPrefix(r[key], null) // a filter knows it as empty
			if !slices.Contains(w.keys[key], value) {
				w.keys[key] = append(w.keys[key], value)
			}
		}
	}
	if len(w.keys["team"]) < 3 || len(w.keys["cluster"]) < 1 {
		t.Fatalf("too little is there: %v", w.keys)
	}
	team, other := w.keys["team"][0], w.keys["team"][1]
	if team == "" {
		team = w.keys["team"][2]
	}
	cluster := w.keys["cluster"][0]
	for _, condition := range []string{
		fmt.Sprintf("team = '%s'", team),
		fmt.Sprintf("team in ('%s', '%s')", team, other),
		fmt.Sprintf("team != '%s'", team),
		"team is null",
		fmt.Sprintf("cluster = '%s'", cluster),
		fmt.Sprintf("team = '%s' and cluster = '%s'", team, cluster),
		fmt.Sprintf("team = '%s' and cluster != '%s' or project = '%s'", team, cluster, w.keys["project"][0]),
		fmt.Sprintf("environment = '%s'", w.keys["environment"][0]),
		"team = 'nobody'",
	} {
		w.scopes[condition] = w.tokenOf(t, "team_lead", condition)
	}
	several := []string{fmt.Sprintf("team = '%s'", team), fmt.Sprintf("project like '%s%%'", w.keys["project"][1])}
	w.scopes["("+several[0]+") or ("+several[1]+")"] = w.tokenOf(t, "viewer", several...)
	w.names = map[string][]string{}
	for condition := range w.scopes {
		w.names[condition] = w.foreign(t, condition)
	}
}

// foreign are the names that only others have.
func (w *seen) foreign(t *testing.T, condition string) (list []string) {
	t.Helper()
	of := func(filter string) map[string]bool {
		names := map[string]bool{}
		rows, text, status := w.admin.rows(t, "costs", url.Values{
			"group_by": {strings.Join(nameKeys, ",")}, "filter": {filter},
		})
		if status != http.StatusOK {
			t.Fatalf("%s: %d %s", filter, status, clip(text))
		}
		for _, r := range rows {
			for _, key := range nameKeys {
				names[strings.TrimPrefix(r[key], null)] = true
			}
		}
		return names
	}
	mine := slices.Collect(maps.Keys(of(condition)))
	for name := range of("not (" + condition + ")") {
		// A word that is part of the user's own names, or that all share, is not a leak.
		if len(name) < 6 || !strings.ContainsAny(name, "-_/0123456789") ||
			slices.ContainsFunc(mine, func(o string) bool { return strings.Contains(o, name) }) {
			continue
		}
		list = append(list, name)
	}
	return list
}

// leaks returns the name of others that is in a text.
func (w *seen) leaks(condition, text string) string {
	for _, n := range w.names[condition] {
		if i := strings.Index(text, n); i >= 0 {
			return text[max(0, i-60):min(len(text), i+len(n)+20)]
		}
	}
	return ""
}

// questions sends random queries about costs.
func (w *seen) questions(t *testing.T) {
	many := tier.Draws(1000)
	r := rand.New(rand.NewPCG(17, 1))
	var keys []string
	for _, k := range metrics.Keys {
		keys = append(keys, k.Name)
	}
	conditions := slices.Sorted(maps.Keys(w.scopes))
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	asked, some := 0, 0
	for asked < many {
		condition := pick(conditions)
		q := url.Values{"granularity": {pick([]string{"total", "total", "day", "hour", "month"})}}
		dataset := pick([]string{"costs", "costs", "costs", "chargeback"})
		var by []string
		for range r.IntN(4) {
			if k := pick(keys); !slices.Contains(by, k) {
				by = append(by, k)
			}
		}
		q.Set("group_by", strings.Join(by, ","))
		if len(by) == 0 {
			q.Set("group_by", "cause")
		}
		if dataset == "costs" && r.IntN(4) == 0 {
			q.Set("sharing", "after")
		}
		if r.IntN(3) == 0 {
			q.Set("basis", pick([]string{"effective", "billed", "list"}))
		}
		filter := ""
		if r.IntN(3) == 0 {
			key := pick([]string{"team", "project", "cluster", "environment"})
			filter = fmt.Sprintf("%s %s '%s'", key, pick([]string{"=", "!="}), pick(w.keys[key]))
		}
		theirs, ours := url.Values{}, url.Values{}
		for k, v := range q {
			theirs[k], ours[k] = v, v
		}
		if theirs.Set("filter", "("+condition+")"); filter != "" {
			theirs.Set("filter", "("+condition+") and ("+filter+")")
			ours.Set("filter", filter)
		}
		want, text, status := w.admin.rows(t, dataset, theirs)
		if status == http.StatusBadRequest {
			continue // such as hours after sharing
		}
		if status != http.StatusOK {
			t.Fatalf("admin: %s?%s: %d %s", dataset, theirs.Encode(), status, clip(text))
		}
		got, text, status := w.scopes[condition].rows(t, dataset, ours)
		if status != http.StatusOK {
			t.Fatalf("%s: %s?%s: %d %s", condition, dataset, ours.Encode(), status, clip(text))
		}
		asked++
		if len(want) > 0 {
			some++
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%s: %s?%s differs from the admin's (-admin +own):\n%s", condition, dataset, ours.Encode(), clip(d))
		}
		if l := w.leaks(condition, text); l != "" {
			t.Fatalf("%s: %s?%s names others: %s", condition, dataset, ours.Encode(), l)
		}
	}
	if some < many/3 {
		t.Errorf("only %d of %d questions have an answer", some, asked)
	}
}

var (
	mainPart = regexp.MustCompile(`(?s)<main.*</main>`)
	elements = regexp.MustCompile(`(?s)<[^>]*>`)
)

// runPages compares the pages of a user's runs with the admin's.
func (w *seen) runPages(t *testing.T) {
	looked := 0
	for condition, lead := range w.some() {
		own, _, _ := lead.rows(t, "runs", url.Values{"order": {"-effective_cost"}})
		for _, r := range own[:min(4, len(own))] {
			path := "/runs/" + url.PathEscape(r["run_id"])
			var texts []string
			for _, who := range []*asker{w.admin, lead} {
				status, _, body := who.ask(t, path)
				if status != http.StatusOK {
					t.Fatalf("%s: %s is %d: %s", condition, path, status, clip(body))
				}
				words := strings.FieldsFunc(elements.ReplaceAllString(mainPart.FindString(body), "\n"),
					func(r rune) bool { return r == '\n' })
				words = slices.DeleteFunc(words, func(w string) bool { return strings.TrimSpace(w) == "" })
				texts = append(texts, strings.Join(words, "\n"))
			}
			if looked++; texts[0] != texts[1] {
				t.Errorf("%s: %s differs from the admin's (-admin +own):\n%s", condition, path, clip(cmp.Diff(texts[0], texts[1])))
			}
		}
	}
	if looked < 4 {
		t.Errorf("only %d pages are looked at", looked)
	}
}

// closed reads everything that scoped users may not read, and rows of others by address.
func (w *seen) closed(t *testing.T) {
	for condition, lead := range w.some() {
		for _, d := range metrics.Datasets {
			for _, format := range []string{"json", "csv"} {
				status, _, text := lead.ask(t, "/api/v1/"+d.Name+"?limit=1000&format="+format)
				if d.InPart != (status == http.StatusOK) || !d.InPart && status != http.StatusForbidden {
					t.Errorf("%s: %s as %s is %d", condition, d.Name, format, status)
				}
				if l := w.leaks(condition, text); l != "" {
					t.Errorf("%s: %s names others: %s", condition, d.Name, l)
				}
			}
		}
		for _, more := range []string{"group_by=tag:team", "filter=tag:team%20%3D%20%27x%27", "as_of=2100-01-01"} {
			if status, _, text := lead.ask(t, "/api/v1/costs?"+more); status != http.StatusForbidden {
				t.Errorf("%s: costs?%s is %d: %s", condition, more, status, clip(text))
			}
		}
		own, _, _ := lead.rows(t, "runs", url.Values{})
		mine := map[string]bool{}
		for _, r := range own {
			mine[r["run_id"]] = true
		}
		all, _, _ := w.admin.rows(t, "runs", url.Values{})
		checked := 0
		for _, r := range all {
			if mine[r["run_id"]] || checked > 4 {
				continue
			}
			checked++
			for _, at := range []string{"/runs/", "/explain/run/", "/api/v1/explain/run/"} {
				status, _, text := lead.ask(t, at+url.PathEscape(r["run_id"]))
				none, _, absent := lead.ask(t, at+url.PathEscape(r["run_id"]+"x"))
				if status != http.StatusNotFound || status != none {
					t.Errorf("%s: %s%s of others is %d, of nobody %d", condition, at, r["run_id"], status, none)
				}
				if d := cmp.Diff(nameless(absent, r["run_id"]+"x"), nameless(text, r["run_id"])); d != "" {
					t.Errorf("%s: %s of others is told from one of nobody:\n%s", condition, at, clip(d))
				}
			}
		}
		for _, page := range []string{"/", "/runs", "/training", "/spot", "/queue", "/models", "/groups", "/experiments",
			"/recommendations", "/waste", "/fleet", "/fleet/now", "/devices", "/slices", "/requests", "/docs/metrics"} {
			status, _, text := lead.ask(t, page)
			if status != http.StatusOK && status != http.StatusForbidden {
				t.Errorf("%s: page %s is %d: %s", condition, page, status, clip(text))
			}
			if l := w.leaks(condition, text); l != "" {
				t.Errorf("%s: page %s names others: %s", condition, page, l)
			}
		}
	}
}

// some are two of the scopes every day, one of which has everything except a team, and in full all scopes.
func (w *seen) some() map[string]*asker {
	if tier.Full() {
		return w.scopes
	}
	few := map[string]*asker{}
	for i, condition := range slices.Sorted(maps.Keys(w.scopes)) {
		if i%6 == 3 {
			few[condition] = w.scopes[condition]
		}
	}
	return few
}

// nameless is a text without a name, in any spelling that the page uses.
func nameless(text, name string) string {
	for _, n := range []string{name, url.PathEscape(name), url.QueryEscape(name)} {
		text = strings.ReplaceAll(text, n, "…")
	}
	return text
}

// tags: one user's cached answer is not valid for another.
func (w *seen) tags(t *testing.T) {
	of := map[string]string{}
	for condition, lead := range w.scopes {
		_, head, _ := lead.ask(t, "/api/v1/costs?group_by=team")
		tag := head.Get("ETag")
		if other, ok := of[tag]; ok {
			t.Errorf("%s and %s have one entity tag", condition, other)
		}
		of[tag] = condition
		if status, _, _ := w.admin.ask(t, "/api/v1/costs?group_by=team", "If-None-Match", tag); status != http.StatusOK {
			t.Errorf("the tag of %s answers the admin: %d", condition, status)
		}
		if status, _, _ := lead.ask(t, "/api/v1/costs?group_by=team", "If-None-Match",
			tag); status != http.StatusNotModified {
			t.Errorf("%s: its own tag does not hold: %d", condition, status)
		}
	}
}
