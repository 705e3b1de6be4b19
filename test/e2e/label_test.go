package e2e

import (
	"html"
	"math/big"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"gpuledger/internal/money"
	"gpuledger/web/views/format"
)

// tile is a figure of a page with its label and all of its digits.
var (
	tile     = regexp.MustCompile(`(?s)<(?:dt|h3)[^>]*>(?:<a[^>]*>)?([^<>]+)(?:</a>)?</(?:dt|h3)>(.*?)data-exact="([^"]*)"`)
	pagePath = regexp.MustCompile(`href="(/[a-z]*)"`)
)

// periods are all time, and its two parts before and after the middle of usage.
func (s *served) periods(t *testing.T) []string {
	t.Helper()
	whole, used := s.table(t, "costs", ""),
		s.table(t, "costs", "granularity=day&filter="+url.QueryEscape("cause = used")+"&order=period_start")
	bound := func(a *answer, row int, name string) string { return a.rows[row][a.column(t, name)] }
	from, to := bound(whole, 0, "period_start"), bound(whole, 0, "period_end")
	middle := bound(used, len(used.rows)/2, "period_start")
	return []string{"", "from=" + from + "&to=" + middle, "from=" + middle + "&to=" + to}
}

// inPeriod is the address of a page in a period.
func inPeriod(path, period string) string { return strings.TrimSuffix(path+"?"+period, "?") }

// figures are the tiles of a page, digits by label.
func (s *served) figures(t *testing.T, path string) (digits map[string]string, page string) {
	t.Helper()
	digits, page = map[string]string{}, s.get(t, path)
	for _, m := range tile.FindAllStringSubmatch(page, -1) {
		if !strings.Contains(m[2], "<dt") && !strings.Contains(m[2], "<h3") { // else the digits belong to a later label
			digits[m[1]] = m[3]
		}
	}
	return digits, page
}

// oneLabel opens every page of figures, for all time and for its halves: the same label on two of them is the same
// figure.
func (s *served) oneLabel(t *testing.T) {
	paths := map[string]bool{}
	for _, m := range pagePath.FindAllStringSubmatch(s.get(t, "/"), -1) {
		paths[m[1]] = true
	}
	for _, period := range s.periods(t) {
		said := map[string][2]string{} // digits and page by label
		shared := 0
		for path := range paths {
			digits, _ := s.figures(t, inPeriod(path, period))
			for label, figure := range digits {
				switch first, known := said[label]; {
				case !known:
					said[label] = [2]string{figure, path}
				case first[0] != figure:
					t.Errorf("%q is %s on %s and %s on %s (%s)", label, first[0], first[1], figure, path, period)
				default:
					shared++
				}
			}
		}
		if len(said) < 40 || shared == 0 {
			t.Errorf("%d labels, %d on two pages (%s)", len(said), shared, period)
		}
	}
}

// A family of labels that readers take for one figure of the ledger: a page that shows another figure states how it
// leads to that one.
var families = []struct {
	label  *regexp.Regexp
	filter string
	column string
}{
	{regexp.MustCompile(`(?i)^gpu spend`), "cause != non_gpu", "effective_cost"},
	{regexp.MustCompile(`(?i)^free$`), "cause = free", "effective_cost"},
	{regexp.MustCompile(`(?i)^(cost of )?idle( time)?$`), "cause in (free, held_idle)", "effective_cost"},
	{regexp.MustCompile(`(?i)^on demand$`), "pricing = on_demand and cause != non_gpu", "effective_cost"},
	{regexp.MustCompile(`(?i)^spot spend$`), "pricing = spot and cause != non_gpu", "effective_cost"},
	{regexp.MustCompile(`(?i)^unused commitments$`), "cause = commitment_unused", "effective_cost"},
	{regexp.MustCompile(`(?i)per active gpu-hour`), "cause != non_gpu", "cost_per_active_gpu_hour"},
}

// ties compares figures with similar labels with the ledger, on every page and in every period: they are its figure, or
// the page states that figure, too.
func (s *served) ties(t *testing.T) {
	paths := map[string]bool{}
	for _, m := range pagePath.FindAllStringSubmatch(s.get(t, "/"), -1) {
		paths[m[1]] = true
	}
	seen := map[string]int{}
	for _, period := range s.periods(t) {
		for path := range paths {
			digits, page := s.figures(t, inPeriod(path, period))
			text := html.UnescapeString(page)
			for label, figure := range digits {
				for _, f := range families {
					if !f.label.MatchString(label) {
						continue
					}
					seen[f.label.String()]++
					want := s.table(t, "costs",
						period+"&filter="+url.QueryEscape(f.filter+" and currency = USD")).byKey(t, "currency", f.column)["USD"]
					if want == "" || figure == want {
						continue
					}
					if !strings.Contains(text, printed(t, f.column, want)) {
						t.Errorf("%s (%s): %q is %s, where the ledger's %s is %s, and nothing says how they lead to each other", path,
							period, label, figure, f.filter, want)
					}
				}
			}
		}
	}
	for _, f := range families {
		if seen[f.label.String()] == 0 {
			t.Errorf("no page has a figure called %s", f.label)
		}
	}
}

// printed is a figure as pages print it.
func printed(t *testing.T, column, digits string) string {
	t.Helper()
	if column == "cost_per_active_gpu_hour" {
		rate, ok := new(big.Rat).SetString(digits)
		if !ok {
			t.Fatalf("%s is %q", column, digits)
		}
		return format.Currency("USD").UnitPrice(rate)
	}
	return format.Currency("USD").Money(money.MustParse(digits))
}

// narrowed follows the first link of each page that narrows it to one of its rows, and tries each of its bases: it can
// be read, whatever figures of other pages it also shows.
func (s *served) narrowed(t *testing.T) {
	link := regexp.MustCompile(`href="(/[a-z]*\?[^"]*within=[^"]*)"`)
	followed := 0
	for _, m := range pagePath.FindAllStringSubmatch(s.get(t, "/"), -1) {
		asked := []string{m[1] + "?basis=billed", m[1] + "?basis=list"}
		if narrow := link.FindStringSubmatch(s.get(t, m[1])); narrow != nil {
			asked = append(asked, html.UnescapeString(narrow[1]))
			followed++
		}
		for _, path := range asked {
			if strings.Contains(s.get(t, path), "could not be read") {
				t.Errorf("%s could not be read", path)
			}
		}
	}
	if followed < 4 {
		t.Errorf("%d pages narrow themselves to a row", followed)
	}
}

// halvesAddUp compares the halves of all time with the whole: on the overview, and by every cause, team and price
// class.
func (s *served) halvesAddUp(t *testing.T) {
	periods := s.periods(t)
	for _, by := range []string{"cause", "team", "pricing", "provider"} {
		whole, parts := s.table(t, "costs", "group_by="+by), []*answer{}
		for _, period := range periods[1:] {
			parts = append(parts, s.table(t, "costs", "group_by="+by+"&"+period))
		}
		addsUp(t, "halves by "+by, whole, parts...)
	}
	spend := regexp.MustCompile(`(?s)>GPU spend,[^<]*</a></dt>.*?data-exact="([^"]*)"`)
	sums := make([]*big.Rat, len(periods))
	for i, period := range periods {
		m := spend.FindStringSubmatch(s.get(t, inPeriod("/", period)))
		if m == nil {
			t.Fatalf("the overview says no spend of %q", period)
		}
		sums[i], _ = new(big.Rat).SetString(m[1])
	}
	if sum := new(big.Rat).Add(sums[1], sums[2]); sum.Cmp(sums[0]) != 0 {
		t.Errorf("the halves' spend adds up to %s, all time is %s", digits(sum), digits(sums[0]))
	}
}
