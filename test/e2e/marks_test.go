package e2e

import (
	"encoding/json"
	"fmt"
	"html"
	"math/big"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"gpuledger/test/tier"
)

// mark is a drawn figure of a page: a link with its exact value.
type mark struct{ kind, href, value, unit, title string }

// drawnPanel is a panel of a page with its marks and its question in three languages.
type drawnPanel struct {
	name, sql, rest, command string
	marks                    []mark
}

var (
	panelPart  = regexp.MustCompile(`(?s)<section[^>]*data-(?:panel|table)="([^"]*)".*?</section>`)
	markPart   = regexp.MustCompile(`<a [^>]*data-mark="[^"]*"[^>]*>`)
	attributes = regexp.MustCompile(`([a-z-]+)="([^"]*)"`)
	askedPart  = regexp.MustCompile(`(?s)data-as="(sql|rest|cli)"[^>]*>(.*?)</pre>`)
)

// panelsOf reads the panels of a page.
func panelsOf(body string) (list []drawnPanel) {
	for _, m := range panelPart.FindAllStringSubmatch(body, -1) {
		p := drawnPanel{name: m[1]}
		for _, tag := range markPart.FindAllString(m[0], -1) {
			a := map[string]string{}
			for _, pair := range attributes.FindAllStringSubmatch(tag, -1) {
				a[pair[1]] = html.UnescapeString(pair[2])
			}
			p.marks = append(p.marks, mark{a["data-mark"], a["href"], a["data-value"], a["data-unit"], a["title"]})
		}
		for _, q := range askedPart.FindAllStringSubmatch(m[0], -1) {
			text := html.UnescapeString(elements.ReplaceAllString(q[2], ""))
			switch q[1] {
			case "sql":
				p.sql = strings.TrimSuffix(strings.TrimSpace(text), ";")
			case "rest":
				p.rest = strings.TrimSpace(text)
			case "cli":
				p.command = strings.TrimSpace(text)
			}
		}
		list = append(list, p)
	}
	return list
}

// sums adds up the marks of panels by unit; those of sums of other marks do not count.
func sums(list []drawnPanel) map[string]*big.Rat {
	out := map[string]*big.Rat{}
	for _, p := range list {
		for _, m := range p.marks {
			v, ok := new(big.Rat).SetString(m.value)
			if !ok || m.kind == "total" {
				continue
			}
			if out[m.unit] == nil {
				out[m.unit] = new(big.Rat)
			}
			out[m.unit].Add(out[m.unit], v)
		}
	}
	return out
}

var railLink = regexp.MustCompile(`<nav aria-label="Pages">(?s:.*?)</nav>`)

// rail lists the pages that a user's rail leads to.
func (a *asker) rail(t *testing.T) (paths []string) {
	t.Helper()
	_, _, body := a.ask(t, "/")
	for _, m := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(railLink.FindString(body), -1) {
		if path := html.UnescapeString(m[1]); !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// TestEveryMarkLeadsToItsFigure opens every page as several roles. Marks lead to pages; one that leads to the explorer
// leads to marks that add up to it. The question of each panel has the same answer as SQL, over REST and as a command.
func TestEveryMarkLeadsToItsFigure(t *testing.T) {
	db := smallLedger(t)
	s := &served{db: db}
	admin := s.tokenOf(t, "admin")
	s.url, _ = serveLedger(t, db, "--auth", "on")
	rows, _, _ := admin.rows(t, "costs", url.Values{"group_by": {"team"}, "order": {"-effective_cost"}})
	lead := s.tokenOf(t, "team_lead", fmt.Sprintf("team = '%s'", rows[0]["team"]))
	for name, who := range map[string]*asker{
		"admin": admin, "analyst": s.tokenOf(t, "analyst"), "auditor": s.tokenOf(t, "auditor"), "team lead": lead,
	} {
		t.Run(name, func(t *testing.T) { who.marks(t, name == "admin") })
	}
}

// explored are questions of the explorer in each kind of chart.
var explored = []string{
	"/explore?dataset=costs&measure=effective_cost&by=team&chart=bars",
	"/explore?dataset=costs&measure=effective_cost&by=team,cause&chart=treemap",
	"/explore?dataset=costs&measure=billed_cost&by=gpu_model,pricing,provider&chart=pivot",
	"/explore?dataset=costs&measure=gpu_hours&by=cluster&chart=lines",
	"/explore?dataset=costs&measure=effective_cost&by=cluster,team&chart=heatmap",
	"/explore?dataset=runs&measure=effective_cost&by=team,kind&chart=treemap",
	"/explore?dataset=inference&measure=generation_tokens&by=model&chart=bars",
	"/explore?dataset=costs&measure=list_cost&chart=heatmap",
	"/explore?dataset=costs&measure=effective_cost&by=team&chart=multiples",
	"/explore?dataset=costs&measure=effective_cost&by=project&chart=bars&groups=2&granularity=week",
	"/explore?dataset=waste&measure=effective_cost&by=kind,team&chart=pivot",
	"/explore?dataset=devices&measure=capacity_gpu_hours&by=gpu_model&chart=treemap",
}

// marks opens the pages of a user and follows a sample of their marks.
func (a *asker) marks(t *testing.T, whole bool) {
	conn := connect(t, a.db)
	r := rand.New(rand.NewPCG(41, 1))
	panels, followed, exact := 0, 0, 0
	for _, path := range append(a.rail(t), explored...) {
		status, _, body := a.ask(t, path)
		if status != http.StatusOK {
			t.Errorf("%s answers %d", path, status)
			continue
		}
		list := panelsOf(body)
		for _, p := range list {
			panels++
			if whole {
				a.agrees(t, conn, path, p)
			}
			left := tier.Draws(40)
			for _, i := range r.Perm(len(p.marks)) {
				if left--; left < 0 {
					break
				}
				if a.leads(t, path, p, p.marks[i]) {
					exact++
				}
				followed++
			}
		}
	}
	if panels < 5 || followed < 10 || exact < 5 {
		t.Errorf("only %d panels, %d marks, %d of them with a figure to compare", panels, followed, exact)
	}
}

// leads follows a mark; it reports whether there was a figure to compare with.
func (a *asker) leads(t *testing.T, path string, p drawnPanel, m mark) (compared bool) {
	t.Helper()
	what := fmt.Sprintf("%s, panel %s, mark %q", path, p.name, m.title)
	if m.href == "" || m.value != "" && m.unit == "" {
		t.Errorf("%s has no link or no unit: %+v", what, m)
		return false
	}
	status, _, body := a.ask(t, m.href)
	if status != http.StatusOK {
		t.Errorf("%s: %s answers %d", what, m.href, status)
		return false
	}
	want, known := new(big.Rat).SetString(m.value)
	to, err := url.Parse(m.href)
	if err != nil || to.Path != "/explore" || !known || m.kind == "part" || m.kind == "step" ||
		m.kind == "others" && !strings.Contains(to.Query().Get("filter"), "not ") {
		return false
	}
	here, _ := url.Parse(path)
	if measure := here.Query().Get("measure"); measure != "" && measure != to.Query().Get("measure") {
		t.Errorf("%s is of %s and leads to %s", what, measure, to.Query().Get("measure"))
	}
	if got := sums(panelsOf(body))[m.unit]; !sameNumber(want, got) && !(got == nil && want.Sign() == 0) {
		t.Errorf("%s is %s and leads to %s, whose marks make %s", what, digits(want), m.href, digits(got))
	}
	return true
}

// agrees compares the three answers to a panel's question.
func (a *asker) agrees(t *testing.T, conn *pgx.Conn, path string, p drawnPanel) {
	t.Helper()
	what := path + ", panel " + p.name
	if p.sql == "" || p.rest == "" || p.command == "" {
		t.Errorf("%s cannot be asked in all three languages: %+v", what, p)
		return
	}
	sep := "?"
	if strings.Contains(p.rest, "?") {
		sep = "&"
	}
	status, _, text := a.ask(t, p.rest+sep+"limit=100000")
	if status != http.StatusOK {
		t.Errorf("%s: %s answers %d", what, p.rest, status)
		return
	}
	rest := numbersOf(t, text)
	words := shellWords(p.command)
	command := numbersOf(t, must(t, append([]string{a.db}, append(words[1:], "--format", "json")...)...))
	if len(command) != len(rest) {
		t.Errorf("%s: the command has other columns than REST", what)
	}
	for name, list := range command {
		if !slices.Equal(list, rest[name]) {
			t.Errorf("%s: the command and REST differ in %s:\n%v\n%v", what, name, list, rest[name])
		}
	}
	for name, list := range asTexts(t, conn, p.sql) {
		want, ok := rest[name]
		if !ok {
			t.Errorf("%s: SQL returns %s, which REST does not have", what, name)
		}
		if len(list) != len(want) || !allText(want) && !slices.Equal(list, want) {
			t.Errorf("%s: SQL and REST differ in %s:\n%v\n%v\n%s", what, name, list, want, p.sql)
		}
	}
}

// numbersOf are the sorted values of each column of a JSON answer, numbers in one form.
func numbersOf(t *testing.T, text string) map[string][]string {
	t.Helper()
	var answer struct{ Data json.RawMessage }
	rows := text
	if json.Unmarshal([]byte(text), &answer) == nil {
		rows = string(answer.Data)
	}
	return columnsOf(t, rows)
}

// columnsOf are the sorted values of each column of rows in JSON.
func columnsOf(t *testing.T, rows string) map[string][]string {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(rows))
	decoder.UseNumber()
	var list []map[string]any
	if err := decoder.Decode(&list); err != nil {
		t.Fatalf("no rows: %v", err)
	}
	out := map[string][]string{}
	for _, row := range list {
		for name, v := range row {
			out[name] = append(out[name], plain(v))
		}
	}
	for _, values := range out {
		slices.Sort(values)
	}
	return out
}

// asTexts runs a statement; the values of each column are sorted.
func asTexts(t *testing.T, conn *pgx.Conn, sql string) map[string][]string {
	t.Helper()
	var rows string
	if err := conn.QueryRow(t.Context(), "select coalesce(json_agg(q), '[]')::text from ("+sql+") q").Scan(&rows); err != nil {
		t.Errorf("%s: %v", sql, err)
		return nil
	}
	return columnsOf(t, rows)
}

// plain is a value as text; numbers are in one form.
func plain(v any) string {
	text := fmt.Sprint(v)
	if r, ok := new(big.Rat).SetString(text); ok && !strings.ContainsAny(text, "eE/_xX") {
		return digits(r)
	}
	return text
}

// allText reports whether no value of a column is a number.
func allText(values []string) bool {
	return !slices.ContainsFunc(values, func(v string) bool { _, ok := new(big.Rat).SetString(v); return ok })
}

// shellWords splits a command as a POSIX shell does, as far as the pages quote.
func shellWords(command string) (words []string) {
	var word strings.Builder
	quoted, some := false, false
	for i := 0; i < len(command); i++ {
		switch c := command[i]; {
		case c == '\'':
			quoted, some = !quoted, true
		case c == '\\' && !quoted:
			i++
			word.WriteByte(command[i])
		case c == ' ' && !quoted:
			if some {
				words = append(words, word.String())
			}
			word.Reset()
			some = false
		default:
			word.WriteByte(c)
			some = true
		}
	}
	return append(words, word.String())
}
