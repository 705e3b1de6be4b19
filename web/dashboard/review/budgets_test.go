package review

import (
	"strings"
	"testing"
	"time"

	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/dashboard/panel"
)

// The page names the budgets that are over and those that will be, the first to break first.
func TestBudgetsThatBreakAreNamed(t *testing.T) {
	budget := func(name, ratio, breaks string) *Budget {
		cells := map[string]string{"ratio": ratio, "breaks_on": breaks}
		return &Budget{Name: name, Record: page.MadeUp(func(column string) metrics.Value {
			at, _ := time.Parse(time.RFC3339, cells[column])
			return metrics.Value{Valid: cells[column] != "", Text: cells[column], Time: at}
		})}
	}
	for want, list := range map[string][]*Budget{
		"1 budget in this period.": {budget("Vision", "0.4", "")},
		"6 budgets in this period. Over: Vision (133.4\u202f%). At today's rate these break before their period ends: " +
			"Speech (10 Nov); Search (29 Nov); All (30 Nov); and 1 more.": {
			budget("Vision", "1.334", ""), budget("Search", "0.9", "2026-11-29T00:00:00Z"),
			budget("All", "0.8", "2026-11-30T00:00:00Z"), budget("Speech", "0.7", "2026-11-10T00:00:00Z"),
			budget("Late", "0.6", "2026-12-01T00:00:00Z"), budget("Fine", "0.1", ""),
		},
	} {
		if got := budgetSub(list); got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
}

// A date from few days of data is called a guess wherever it is.
func TestAnEarlyBreakIsCalledAGuess(t *testing.T) {
	on, _ := time.Parse(time.DateOnly, "2026-11-02")
	budget := func(early bool) *Budget {
		return &Budget{Name: "Speech", Record: page.MadeUp(func(column string) metrics.Value {
			switch column {
			case "breaks_on":
				return metrics.Value{Valid: true, Time: on}
			case "early":
				return metrics.Value{Valid: true, Bool: early}
			case "projected_days":
				return metrics.Value{Valid: true, Int: 1}
			}
			return metrics.Value{Valid: true, Text: "0.9"}
		})}
	}
	for early, remark := range map[bool]string{true: "a guess from 1 day of data", false: ""} {
		b := budget(early)
		for text, want := range map[string]string{
			budgetSentence([]*Budget{b}): "Speech breaks its budget on 2 Nov at today's rate" + after(remark) + ".",
			budgetSub([]*Budget{b}): "1 budget in this period. At today's rate these break before their period ends: Speech (2 Nov)." +
				map[bool]string{true: " Dates from few days of data are guesses."}[early],
			b.breaks().Sub: remark,
		} {
			if text != want {
				t.Errorf("early %v: it says %q, want %q", early, text, want)
			}
		}
	}
}

// What is projected is no stored cost: the explorer could not show it. The question names the last day, for SQL.
func TestProjectedDaysLeadToTheirExplanation(t *testing.T) {
	const id = "5a1c2f3d616f378ae7ea365ce414505b"
	on, byID := period.Second(1_795_132_800).Time(), page.Equal("budget_id", id) // 2026-11-20
	for _, c := range []struct{ end, breaks, leads, filter string }{
		{"", "2026-11-20", "#budget_days.projected", byID + " and day <= '2026-11-20T00:00:00Z'"},
		{"2026-11-20", "", "/explain/", byID + " and day <= '2026-11-19T00:00:00Z'"},
	} {
		b := &Budget{ID: id, Record: page.MadeUp(func(column string) metrics.Value {
			switch column {
			case "period_end":
				return metrics.Value{Valid: c.end != "", Time: on}
			case "breaks_on":
				return metrics.Value{Valid: c.breaks != "", Time: on}
			case "projected_days":
				return metrics.Value{Valid: true, Int: 7}
			}
			return metrics.Value{Valid: true, Text: "1"}
		})}
		course, err := courseOf(t.Context(), nil, b)
		if err != nil || course.Options.Filter != c.filter {
			t.Errorf("it asks for %q, want %q: %v", course.Options.Filter, c.filter, err)
		}
		p := burnUp(&page.Context{}, b, course)
		if got := p.Href(page.Scope{}, panel.At{Part: "projected"}); !strings.Contains(got, c.leads) {
			t.Errorf("it leads to %s, want %s", got, c.leads)
		}
		if got := p.Href(page.Scope{}, panel.At{Part: "cumulative"}); !strings.HasPrefix(got, "/explore") {
			t.Errorf("spend leads to %s", got)
		}
	}
}
