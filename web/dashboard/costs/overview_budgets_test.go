package costs

import (
	"strings"
	"testing"

	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/dashboard/review"
	"gpuledger/web/views"
)

const now = period.Second(1_793_491_200) // 2026-11-01

// budgetWith is a budget of money of team vision that is spent to a ratio.
func budgetWith(name, source, state, ratio string, more map[string]metrics.Value) *review.Budget {
	cells := map[string]metrics.Value{}
	for column, text := range map[string]string{"source": source, "unit": "money", "currency": "USD", "key": "team",
		"value": "vision", "amount": "100", "actual": "1", "provisional": "0", "ratio": ratio} {
		cells[column] = metrics.Value{Valid: true, Text: text}
	}
	for column, v := range more {
		cells[column] = v
	}
	return &review.Budget{Name: name, State: state, ID: name,
		Record: page.MadeUp(func(column string) metrics.Value { return cells[column] })}
}

func at(s period.Second) metrics.Value { return metrics.Value{Valid: true, Time: s.Time()} }

func told(list []views.Alert) (out []string) {
	for _, a := range list {
		out = append(out, a.What+" | "+a.Due)
	}
	return out
}

// Budgets over a step are alerts, also those of lives: people's first, those of labels in one line.
func TestAlertsOfBudgets(t *testing.T) {
	p := &page.Context{}
	month := map[string]metrics.Value{"period_start": at(now - 10*period.Day), "period_end": at(now + 20*period.Day)}
	past := map[string]metrics.Value{"period_start": at(now - 40*period.Day), "period_end": at(now - 10*period.Day)}
	guess := map[string]metrics.Value{"breaks_on": at(now + 3*period.Day), "early": {Valid: true, Bool: true},
		"projected_days": {Valid: true, Int: 2}}
	list := []*review.Budget{
		budgetWith("exp-1", "label", "at_120", "1.5", nil), budgetWith("exp-2", "label", "at_100", "1.1", nil),
		budgetWith("exp-3", "label", "at_80", "0.9", nil), budgetWith("exp-4", "label", "ok", "0.1", nil),
		budgetWith("ended", "person", "at_120", "1.3", past), budgetWith("over", "person", "at_100", "1.2", month),
		budgetWith("life", "person", "at_80", "0.8", guess), budgetWith("ended below", "person", "at_80", "0.9", past),
		budgetWith("fine", "person", "ok", "0.2", month),
	}
	bad, warn := budgetAlerts(p, list, now)
	if got, want := strings.Join(told(bad), "\n"), "over: 120.0\u202f% of the budget | by 20 Nov\n"+
		"ended: 130.0\u202f% of the budget | ended 21 Oct\n"+
		"3 budgets from labels reached a step, 2 of them the amount | no date"; got != want {
		t.Errorf("bad alerts are\n%s\nwant\n%s", got, want)
	}
	if got, want := strings.Join(told(warn), "\n"),
		"life: 80.0\u202f% of the budget | breaks on 4 Nov, a guess from 2 days of data"; got != want {
		t.Errorf("warnings are %q, want %q", got, want)
	}
	if !strings.Contains(bad[2].Href, "/budgets") || !strings.HasPrefix(bad[2].Detail, "the fullest is exp-1: 150") {
		t.Errorf("the line of labels is %+v", bad[2])
	}
	if _, warn := budgetAlerts(p, list[2:4], now); len(warn) != 1 || warn[0].What != "exp-3: 90.0\u202f% of the budget" {
		t.Errorf("a single budget of a label is %v", told(warn))
	}
}

// A budget of a life says when it breaks; one of a period, how it ends.
func TestALifeSaysWhenItBreaks(t *testing.T) {
	p := &page.Context{Currency: "USD"}
	breaks := map[string]metrics.Value{"breaks_on": at(now + 3*period.Day)}
	for want, b := range map[string]*review.Budget{
		"Breaks on 4 Nov": budgetWith("life", "person", "ok", "0.5", breaks),
		"Breaks on n/a":   budgetWith("quiet", "person", "ok", "0.5", nil),
	} {
		f := budgetFacts(p, b)[1]
		if got := f.Name + " " + f.Value.Text; got != want {
			t.Errorf("%s: %q, want %q", b.Name, got, want)
		}
	}
}
