package main

import (
	"html"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/store"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
	"gpuledger/web"
	"gpuledger/web/api"
	"gpuledger/web/dashboard"
	"gpuledger/web/gate"
	"gpuledger/web/operate"
)

// tokenPages are the pages of a store with access control.
func tokenPages(t *testing.T, s *store.Store) http.Handler {
	t.Helper()
	desk := operate.Desk{Ledger: deskLedger{Store: s}}
	now := func() time.Time { return time.Date(2026, 11, 3, 0, 0, 0, 0, time.UTC) }
	h, err := web.New(web.Deps{Reader: s, Desk: desk, Now: now, Keeper: s.Access,
		API:  api.New(s, slog.New(slog.DiscardHandler)).Operated(desk),
		Gate: gate.New(gate.Options{Keeper: s.Access, Now: now, Pages: dashboard.PageNeeds(), Changes: api.Needs()})})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// tokenOf creates a token of a role.
func tokenOf(t *testing.T, s *store.Store, role access.Role, conditions ...string) string {
	t.Helper()
	_, token, err := s.Access.CreateToken(t.Context(), access.Grant{Name: string(role), Role: role, Conditions: conditions,
		By: "root", At: time.Date(2026, 11, 3, 0, 0, 0, 0, time.UTC)}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// visit sends a request with a token; a form makes it a POST.
func visit(h http.Handler, token, path string, form url.Values, header ...string) *httptest.ResponseRecorder {
	method, body := http.MethodGet, ""
	if form != nil {
		method, body = http.MethodPost, form.Encode()
	}
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Authorization", "Bearer "+token)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// speech is a form for a new budget, with changes.
func speech(changes ...string) url.Values {
	form := url.Values{"name": {"Research"}, "key": {"team"}, "value": {"research"}, "period": {"month"},
		"start": {"2026-11-01"}, "amount": {"500"}, "unit": {"money"}, "currency": {"USD"}, "parent": {""},
		"reason": {"plan of <2026>"}}
	for i := 0; i+1 < len(changes); i += 2 {
		form.Set(changes[i], changes[i+1])
	}
	return form
}

// A budget is set by a form, then gets its next version by one that knows the first.
func TestBudgetsAreSetByAForm(t *testing.T) {
	s := storetest.SmallLedger(t)
	h, ann := tokenPages(t, s), tokenOf(t, s, access.RoleAnalyst)
	if body := visit(h, ann, "/budgets", nil).Body.String(); !strings.Contains(body, "Set a budget") {
		t.Error("the page offers no form")
	}
	w := visit(h, ann, "/budgets?set=new&from=2026-10-01&to=2026-11-01", speech())
	at, _, _ := strings.Cut(w.Header().Get("Location"), "#")
	row := storetest.Table(t, s, "budget_versions", metrics.Options{})
	if w.Code != http.StatusSeeOther || len(row) != 1 {
		t.Fatalf("%d: %v, stored %v", w.Code, w.Header(), row)
	}
	id := row[0]["budget_id"]
	if want := "/budgets?budget=" + id + "&from=2026-11-01&to=2026-12-01#budget-" + id; !sameAddress(w.Header().Get("Location"), want) {
		t.Errorf("leads to %s, want %s", w.Header().Get("Location"), want)
	}
	storetest.Wants(t, row[0], map[string]string{"name": "Research", "value": "research", "amount": "500", "currency": "USD",
		"period_end": "2026-12-01T00:00:00Z", "changed_by": "analyst", "reason": "plan of <2026>", "version": "1"})
	body := visit(h, ann, at, nil).Body.String()
	if !strings.Contains(body, `id="budget-`+id+`"`) || !strings.Contains(body, "set="+id) {
		t.Error("the new row is not there, or cannot be changed")
	}
	body = visit(h, ann, "/budgets?set="+id, nil).Body.String()
	for _, want := range []string{"Next version of", `value="500"`, `value="2026-11-01"`, `name="version" value="1"`, "readonly"} {
		if !strings.Contains(body, want) {
			t.Errorf("the form of the next version lacks %s", want)
		}
	}
	if strings.Contains(body, "plan of") && fieldOf(body, "reason") != "" {
		t.Error("the reason of the first version is proposed for the next")
	}
	next := func(code int, says string, changes ...string) {
		t.Helper()
		w := visit(h, ann, "/budgets?set="+id, speech(changes...))
		if w.Code != code || !strings.Contains(html.UnescapeString(w.Body.String()), says) {
			t.Errorf("%v: %d, want %d and %q", changes, w.Code, code, says)
		}
	}
	next(http.StatusOK, "Research says so already", "version", "1")
	next(http.StatusSeeOther, "", "version", "1", "amount", "600", "name", "another") // the name stays
	next(http.StatusBadRequest, "analyst stored version 2 in the meantime, with 600", "version", "1", "amount", "700")
	next(http.StatusSeeOther, "", "version", "2", "amount", "700")
	rows := storetest.Table(t, s, "budget_versions", metrics.Options{})
	if len(rows) != 3 || rows[0]["name"] != "Research" || rows[0]["amount"] != "700" {
		t.Errorf("%v", rows)
	}
	if audit := storetest.Table(t, s, "audit", metrics.Options{Filter: "action = 'budgets stored'"}); len(audit) != 3 {
		t.Errorf("%d entries in the audit log", len(audit))
	}
}

// A refused field says why next to it, and the form keeps its values.
func TestRefusedFieldsOfABudget(t *testing.T) {
	s := storetest.SmallLedger(t)
	h, ann := tokenPages(t, s), tokenOf(t, s, access.RoleAnalyst)
	if w := visit(h, ann, "/budgets?set=new", speech("name", "taken")); w.Code != http.StatusSeeOther {
		t.Fatalf("%d", w.Code)
	}
	for _, c := range []struct{ field, value, says string }{
		{"name", "", "its name identifies a budget"},
		{"name", "taken", "a budget has this name"},
		{"value", "", "name the team that the budget is for"},
		{"key", "colour", "not a key of budgets"},
		{"period", "fortnight", "not one of month"},
		{"start", "2026-11-02", "near it are 2026-11-01 and 2026-12-01"},
		{"start", "", "name the first day of the month"},
		{"start", "1970-01-01", "outside the years"},
		{"amount", "12,5<k>", "not a plain decimal above 0"},
		{"unit", "dollars", "not one of money"},
		{"currency", "usd", "not a currency code"},
		{"parent", "nobody", `there is no budget "nobody"`},
		{"reason", " ", "is empty: say why"},
	} {
		w := visit(h, ann, "/budgets?set=new", speech(c.field, c.value))
		body := w.Body.String()
		at := regexp.MustCompile(`<p class="fault" id="fault-` + c.field + `"><bdi>([^<]*)`).FindStringSubmatch(body)
		if w.Code != http.StatusBadRequest || at == nil || !strings.Contains(html.UnescapeString(at[1]), c.says) ||
			strings.Contains(at[1], "line 1") {
			t.Errorf("%s=%q: %d, %v; want %q next to it", c.field, c.value, w.Code, at, c.says)
		}
		if strings.Contains(body, "<k>") || c.field != "amount" && fieldOf(body, "amount") != "500" ||
			c.field == "amount" && fieldOf(body, "amount") != c.value {
			t.Errorf("%s=%q: the form keeps %q", c.field, c.value, fieldOf(body, "amount"))
		}
	}
	if rows := storetest.Table(t, s, "budget_versions", metrics.Options{}); len(rows) != 1 {
		t.Errorf("refused budgets are stored: %v", rows)
	}
	if w := visit(h, ann, "/budgets?set=new", speech(), "Sec-Fetch-Site", "cross-site"); w.Code != http.StatusForbidden {
		t.Errorf("another site's form: %d", w.Code)
	}
}

// Only analysts, the platform and admins without a scope see the form; a budget outside the scope does not exist.
func TestWhoMaySetBudgets(t *testing.T) {
	s := storetest.SmallLedger(t)
	h, ann := tokenPages(t, s), tokenOf(t, s, access.RoleAnalyst)
	for name, team := range map[string]string{"Research": "research", "Search": "search"} {
		w := visit(h, ann, "/budgets?set=new", speech("name", name, "value", team))
		if w.Code != http.StatusSeeOther {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	ids := map[string]string{}
	for _, r := range storetest.Table(t, s, "budgets", metrics.Options{}) {
		ids[r["name"]] = r["budget_id"]
	}
	const research = "team = 'research'"
	for _, c := range []struct {
		role  access.Role
		scope []string
		may   bool
	}{
		{access.RoleAnalyst, nil, true}, {access.RolePlatform, nil, true}, {access.RoleAdmin, nil, true},
		{access.RoleAuditor, nil, false}, {access.RoleViewer, []string{research}, false},
		{access.RoleTeamLead, []string{research}, false}, {access.RoleAnalyst, []string{research}, false},
	} {
		token := tokenOf(t, s, c.role, c.scope...)
		page := visit(h, token, "/budgets?set="+ids["Research"], nil)
		body := page.Body.String()
		if page.Code != http.StatusOK || strings.Contains(body, "Next version of") != c.may ||
			regexp.MustCompile(`href="[^"]*[?;]set=`).MatchString(body) != c.may {
			t.Errorf("%s %v: %d, form %t", c.role, c.scope, page.Code, strings.Contains(body, "Next version of"))
		}
		code := http.StatusForbidden
		if c.may {
			code = http.StatusSeeOther
		}
		name := string(c.role) + " " + strings.Join(c.scope, "")
		if w := visit(h, token, "/budgets?set=new", speech("name", name)); w.Code != code {
			t.Errorf("%s sets a budget: %d, want %d", name, w.Code, code)
		}
		outside := http.StatusOK
		if len(c.scope) > 0 {
			outside = http.StatusNotFound
			if strings.Contains(visit(h, token, "/budgets", nil).Body.String(), "Search") {
				t.Errorf("%s sees the budget of another team", name)
			}
		}
		for _, at := range []string{"/budgets?budget=" + ids["Search"], "/budgets?set=" + ids["Search"]} {
			if w := visit(h, token, at, nil); w.Code != outside {
				t.Errorf("%s, %s: %d, want %d", name, at, w.Code, outside)
			}
		}
	}
	for _, id := range []string{"nothing", "00000000-0000-0000-0000-000000000001"} {
		for _, w := range []*httptest.ResponseRecorder{visit(h, ann, "/budgets?budget="+id, nil),
			visit(h, ann, "/budgets?set="+id, nil), visit(h, ann, "/budgets?set="+id, speech())} {
			if w.Code != http.StatusNotFound {
				t.Errorf("budget %s: %d", id, w.Code)
			}
		}
	}
}

// fieldOf is the value of a text field of a page.
func fieldOf(body, name string) string {
	at := regexp.MustCompile(`<input id="in-` + name + `"[^>]* value="([^"]*)"`).FindStringSubmatch(body)
	if at == nil {
		return "no field"
	}
	return html.UnescapeString(at[1])
}

// sameAddress compares addresses whatever the order of their parameters.
func sameAddress(a, b string) bool {
	one, err := url.Parse(a)
	other, failed := url.Parse(b)
	return err == nil && failed == nil && one.Path == other.Path && one.Fragment == other.Fragment &&
		one.Query().Encode() == other.Query().Encode()
}
