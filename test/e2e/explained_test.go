package e2e

import (
	"encoding/json"
	"fmt"
	"html"
	"math/big"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"gpuledger/metrics"
	"gpuledger/test/tier"
)

// explainedLink is a figure of a page with the address of its explanation.
var explainedLink = regexp.MustCompile(`<a class="why" href="([^"]*)"[^>]*>\s*<span class="fig[^"]*"[^>]*data-exact="([^"]*)"`)

// explainedPages are pages with figures that the rail's addresses do not show; days are those of the ledger.
func explainedPages(days [2]string) []string {
	return []string{
		"/variance?from=" + days[1] + "&to=" + dayAfter(days[1]) + "&against=previous",
		"/explore?dataset=costs&measure=cost_per_active_gpu_hour&by=team,gpu_model&chart=bars",
	}
}

func dayAfter(day string) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return at.AddDate(0, 0, 1).Format(time.DateOnly)
}

// dearestDays are the first of two days on end with cost, and the second.
func (a *asker) dearestDays(t *testing.T) [2]string {
	t.Helper()
	rows, text, _ := a.rows(t, "costs", url.Values{"group_by": {"tenant"}, "granularity": {"day"},
		"filter": {"currency = USD and capacity_gpu_hours > 100"}, "order": {"period_start"}})
	if len(rows) < 2 {
		t.Fatalf("fewer than two days with GPUs: %s", text)
	}
	return [2]string{rows[0]["period_start"][:10], rows[1]["period_start"][:10]}
}

// TestEveryFigureIsExplained follows the figures of all pages to their explanations, as users with full access and as
// a team lead. The explanation has the same digits on the page, over REST and as a command; its formula and its parts
// give the figure; and following it ends at bill lines.
func TestEveryFigureIsExplained(t *testing.T) {
	db := smallLedger(t)
	s := &served{db: db}
	team := func(n int) string {
		return decodeCSV(t, must(t, db, "report", "costs", "--group-by=team", "--order=-effective_cost", "--format=csv",
			"--columns=team")).rows[n][0]
	}
	plan := filepath.Join(t.TempDir(), "budgets.csv")
	if err := os.WriteFile(plan, []byte("name,key,value,period,start,amount,unit,currency,parent\n"+
		"All,all,,life,,90000,money,USD,\nFirst,team,"+team(0)+",life,,9000.5,money,USD,All\n"+
		"Second,team,"+team(1)+",month,2026-11-01,100,gpu_hours,,\nTokens,all,,month,2026-11-01,1000000,tokens,,\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	must(t, db, "import", "budgets", plan)
	admin := s.tokenOf(t, "admin")
	s.url, _ = serveLedger(t, db, "--auth", "on", "--config", manyRequests(t))
	rows, _, _ := admin.rows(t, "costs", url.Values{"group_by": {"team"}, "order": {"-effective_cost"}})
	lead := s.tokenOf(t, "team_lead", fmt.Sprintf("team = '%s'", rows[0]["team"]))
	days := admin.dearestDays(t)
	t.Run("admin", func(t *testing.T) { admin.explained(t, explainedPages(days), true) })
	t.Run("team lead", func(t *testing.T) { lead.explained(t, explainedPages(days), false) })

	for _, subject := range []string{
		"budgets.actual?filter=" + url.QueryEscape(fmt.Sprintf("key = team and value = '%s'", rows[1]["team"])),
		"costs.gpu_hours?filter=" + url.QueryEscape(fmt.Sprintf("team = '%s'", rows[1]["team"])),
		"waste.effective_cost?group-by=team&filter=" + url.QueryEscape(fmt.Sprintf("team = '%s'", rows[1]["team"])),
		"variance.price?from=" + days[1] + "&to=" + dayAfter(days[1]) + "&filter=" + url.QueryEscape(fmt.Sprintf("team = '%s'", rows[1]["team"])),
	} {
		if status, _, body := lead.ask(t, "/api/v1/explain/"+subject); status != http.StatusNotFound {
			t.Errorf("a lead of another team reads %s: %d %s", subject, status, clip(body))
		}
		if status, _, body := admin.ask(t, "/api/v1/explain/"+subject); status != http.StatusOK {
			t.Errorf("%s: %d %s", subject, status, clip(body))
		}
	}
	for _, subject := range []string{
		"budgets.state", "budgets.nothing", "variance.price?by=team", "waste.effective_cost", "nonsense.effective_cost",
		"inference.cost_per_1k_tokens.left.left", "costs.cost_per_active_gpu_hour.middle",
	} {
		if status, _, body := admin.ask(t, "/api/v1/explain/"+subject); status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", subject, status, clip(body))
		}
	}
}

// explained follows a sample of the figures of each page; all of them in full.
func (a *asker) explained(t *testing.T, more []string, whole bool) {
	r := rand.New(rand.NewPCG(41, 8))
	followed, lines := 0, 0
	commands := tier.Draws(60)
	for _, path := range append(a.rail(t), more...) {
		status, _, body := a.ask(t, path)
		if status != http.StatusOK {
			t.Errorf("%s answers %d", path, status)
			continue
		}
		links := explainedLink.FindAllStringSubmatch(body, -1)
		left := tier.Draws(len(links))
		if left > 0 {
			left = max(left, 4)
		}
		for _, i := range r.Perm(len(links)) {
			if left--; left < 0 {
				break
			}
			href, shown := html.UnescapeString(links[i][1]), html.UnescapeString(links[i][2])
			followed++
			if !strings.HasPrefix(href, "/explain/") {
				a.showsAgain(t, path, href, shown)
				continue
			}
			lines += a.explains(t, path, href, shown)
			if whole && commands > 0 {
				commands--
				a.commandExplains(t, href)
			}
		}
	}
	if followed < 40 || lines < 10 {
		t.Errorf("only %d figures followed, %d of them to bill lines", followed, lines)
	}
}

// showsAgain: a figure that leads to a page is shown there with the same digits.
func (a *asker) showsAgain(t *testing.T, path, href, shown string) {
	t.Helper()
	if status, _, body := a.ask(t, href); status != http.StatusOK || !strings.Contains(body, `"`+html.EscapeString(shown)+`"`) {
		t.Errorf("%s: %s answers %d, and does not show %s", path, href, status, shown)
	}
}

// deepest is how many steps a figure is followed.
const deepest = 8

// explains checks the explanation of a figure, and follows it towards bill lines: 1 if it arrives there.
func (a *asker) explains(t *testing.T, path, href, shown string) int {
	t.Helper()
	what := fmt.Sprintf("%s: %s", path, href)
	status, _, body := a.ask(t, href)
	if status != http.StatusOK || strings.Contains(body, "do NOT") {
		t.Errorf("%s, shown as %s, answers %d: %s", what, shown, status, clip(body))
		return 0
	}
	subject := strings.TrimPrefix(href, "/explain/")
	e := a.explanation(t, subject)
	if len(e.Origins) > 0 {
		if value := e.Origins[0].Value; len(e.Origins) != 1 || value == nil || !sameNumber(rat(*value), rat(shown)) {
			t.Errorf("%s is shown as %s and explained as %+v", what, shown, e.Origins)
		}
	}
	for range deepest {
		next, arrived := stepsOn(t, what, subject, e)
		if arrived {
			return 1
		}
		if next == "" {
			t.Errorf("%s: nothing leads on from %s", what, subject)
			return 0
		}
		subject = next
		e = a.explanation(t, subject)
	}
	t.Errorf("%s: no bill line after %d steps; the last is %s", what, deepest, subject)
	return 0
}

// stepsOn checks one explanation, and returns the subject that leads on; arrived says that it has postings.
func stepsOn(t *testing.T, what, subject string, e *metrics.Explanation) (next string, arrived bool) {
	t.Helper()
	if e.Behind != nil || e.Spot != nil || e.Own != nil || len(e.NodeHours)+len(e.Whole) > 0 || len(e.Figures) > 0 {
		if e.Behind != nil && !e.Behind.Agrees || e.Spot != nil && !e.Spot.Agrees {
			t.Errorf("%s: the postings of %s are not the figure", what, subject)
		}
		return "", true
	}
	for i := range e.Origins {
		o := &e.Origins[i]
		checkOrigin(t, what+", "+subject, o)
		for _, l := range o.Leads {
			return l.Subject, false
		}
		for _, list := range [][]metrics.Term{o.Parts, o.Terms} {
			for j := range list {
				if len(list[j].Leads) > 0 && list[j].Value != nil && *list[j].Value != "0" {
					return list[j].Leads[0].Subject, false
				}
			}
		}
		if len(o.Parts) > 0 && o.Parts[0].Unit == "rows" || len(o.Terms) > 0 || o.Value != nil && strings.HasPrefix(o.Formula, "as stored") || !addable(o) {
			return "", true // a setting, a count or a sample: no money is behind it
		}
	}
	return "", false
}

// addable reports whether an origin is a sum, which must lead to its parts or costs.
func addable(o *metrics.Origin) bool { return strings.HasPrefix(o.Formula, "Σ") }

// checkOrigin adds up the parts of a figure, digit by digit.
func checkOrigin(t *testing.T, what string, o *metrics.Origin) {
	t.Helper()
	if o.Sentence == "" || o.Formula == "" {
		t.Errorf("%s has no sentence or formula: %+v", what, o)
	}
	if o.Agrees != nil && !*o.Agrees {
		t.Errorf("%s: %+v do not give the figure", what, o)
	}
	if len(o.Parts) == 0 || o.Value == nil {
		return
	}
	sum := new(big.Rat)
	for _, p := range o.Parts {
		if p.Value != nil {
			sum.Add(sum, rat(*p.Value))
		}
	}
	if !sameNumber(sum, rat(*o.Value)) {
		t.Errorf("%s is %s, its parts make %s", what, *o.Value, digits(sum))
	}
}

func rat(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil
	}
	return r
}

// explanation reads a subject over REST.
func (a *asker) explanation(t *testing.T, subject string) *metrics.Explanation {
	t.Helper()
	status, _, body := a.ask(t, "/api/v1/explain/"+addressOf(subject))
	var e metrics.Explanation
	if status != http.StatusOK {
		t.Errorf("%s answers %d: %s", subject, status, clip(body))
		return &e
	}
	if err := json.Unmarshal([]byte(body), &e); err != nil {
		t.Errorf("%s: %v", subject, err)
	}
	return &e
}

// addressOf is a subject as a path: names of runs may have spaces.
func addressOf(subject string) string {
	of, query, ok := strings.Cut(subject, "?")
	of = (&url.URL{Path: of}).EscapedPath()
	if ok {
		of += "?" + query
	}
	return of
}

// commandExplains compares a figure's explanation by the command line with REST.
func (a *asker) commandExplains(t *testing.T, href string) {
	t.Helper()
	subject := strings.TrimPrefix(href, "/explain/")
	if !strings.Contains(strings.SplitN(subject, "?", 2)[0], ".") || strings.Contains(subject, "/") {
		return
	}
	var e metrics.Explanation
	if err := json.Unmarshal([]byte(must(t, a.db, "explain", subject, "--format=json")), &e); err != nil {
		t.Errorf("explain %s: %v", subject, err)
		return
	}
	rest := a.explanation(t, subject)
	got, want := fmt.Sprintf("%+v", jsonOf(t, e.Origins)), fmt.Sprintf("%+v", jsonOf(t, rest.Origins))
	if got != want {
		t.Errorf("explain %s: the command answers %s, REST %s", subject, clip(got), clip(want))
	}
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
