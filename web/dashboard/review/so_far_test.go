package review

import (
	"net/http/httptest"
	"testing"
	"time"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
)

// A month whose data end early is not told to cost less than the whole month before: the page says how many days are
// compared, and leads to as many of both.
func TestAMonthSoFarIsNotLessThanAWholeMonth(t *testing.T) {
	day := func(text string) period.Second {
		at, err := time.Parse(time.DateOnly, text)
		if err != nil {
			t.Fatal(err)
		}
		return period.FromTime(at)
	}
	extent := metrics.Extent{
		Stored: period.Interval{From: day("2026-10-01"), To: day("2026-12-01")}, Data: day("2026-11-09"),
	}
	for address, want := range map[string]string{
		"/variance?from=2026-11-01&to=2026-12-01&against=previous": "The data end on 8 Nov: 8 days are compared with 31. " +
			"Compare 1 – 8 Nov with 1 – 8 Oct /variance?from=2026-11-01&to=2026-11-09&against=2026-10-01%2F2026-10-09",
		"/variance?from=2026-11-01&to=2026-12-01&against=previous&complete=1": "",
		"/variance?from=2026-11-01&to=2026-11-09&against=previous":            "",
		"/variance?from=2026-10-01&to=2026-11-01":                             "",
		"/variance?from=2027-01-01&to=2027-02-01":                             "The data end on 8 Nov, before the period does.  ",
	} {
		s, err := page.ReadScope(httptest.NewRequest("GET", address, nil))
		if err != nil {
			t.Fatal(err)
		}
		c := compare(s, extent)
		got := ""
		for _, r := range c.SoFar {
			got = r.Text + " " + r.Link.Text + " " + r.Link.Href
		}
		if got != want {
			t.Errorf("%s says %q, want %q", address, got, want)
		}
	}
	teller := teller{Change: &Change{SoFar: []views.Reason{{Text: "The data end."}}, Before: period.MonthOf(day("2026-10-01"))}}
	story := teller.tell([]page.Record{told(map[string]string{
		"cost_before": "1000", "cost_after": "250", "difference": "-750", "volume": "-750",
	})})
	if want := "Spend so far is $250.00; in all of 1 – 31 Oct it was $1,000."; story.Sentence != want || len(story.Reasons) != 2 ||
		story.Reasons[0].Text != "The data end." {
		t.Errorf("it says %q for %+v, want %q", story.Sentence, story.Reasons, want)
	}
}

// One team in two currencies does not lead any other.
func TestTheTeamWithTheMostIsOneOfSeveral(t *testing.T) {
	row := func(team, currency, mix string) page.Record {
		return page.MadeUp(func(column string) metrics.Value {
			text := map[string]string{"team": team, "currency": currency, "mix": mix}[column]
			return metrics.Value{Valid: text != "", Text: text}
		})
	}
	for want, movers := range map[string][]page.Record{
		"dearer GPU models and price classes.": {row("speech", "USD", "100"), row("speech", "EUR", "7")},
		"dearer GPU models and price classes. By team, speech has the most (+$50.00).": {
			row("speech", "USD", "50"), row("vision", "USD", "30"), row("search", "USD", "20"),
		},
	} {
		teller := teller{Change: novembers(), movers: movers}
		if got := teller.who("mix", "USD", "USD", money.MustParse("100")); got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
}
