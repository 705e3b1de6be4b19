package review

import (
	"math/big"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
)

// told is a row of variance in dollars.
func told(cells map[string]string) page.Record {
	return page.MadeUp(func(column string) metrics.Value {
		if column == "currency" {
			return metrics.Value{Valid: true, Text: "USD"}
		}
		text, ok := cells[column]
		return metrics.Value{Valid: ok, Text: text}
	})
}

// novembers are November against October.
func novembers() *Change {
	month := period.MonthOf(period.Second(1_793_500_000))
	return &Change{
		Scope:  page.Scope{Path: "/variance", Basis: "effective", Window: month, Span: month},
		Before: period.MonthOf(month.From - 1),
	}
}

func TestAStoryNamesItsLargestPartsAndWhoMovedThem(t *testing.T) {
	teller := teller{Change: novembers(), movers: []page.Record{
		told(map[string]string{"team": "speech", "volume": "700", "efficiency": "-20"}),
		told(map[string]string{"team": "vision", "volume": "-100", "efficiency": "-280"}),
	}, sides: [2]side{
		{held: true, states: map[string]ledger.State{"USD": ledger.Final}},
		{held: true, unseen: big.NewRat(1, 50), states: map[string]ledger.State{"USD": ledger.Provisional, "EUR": ledger.Open}},
	}}
	story := teller.tell([]page.Record{told(map[string]string{
		"cost_before": "1000", "cost_after": "1250", "difference": "250", "volume": "600", "efficiency": "-300", "mix": "0",
		"price": "-60", "exchange": "0", "without_hours": "10",
	})})
	if want := "Spend was $1,250, $250.00 (25.0\u202f%) more than before."; story.Sentence != want {
		t.Errorf("it says %q, want %q", story.Sentence, want)
	}
	if story.Currency != "USD" || story.State != ledger.Provisional { // the less settled of both periods
		t.Errorf("it stands in %s as %q", story.Currency, story.State)
	}
	teller.sides[0].held = false
	if fees := teller.tell([]page.Record{told(map[string]string{"cost_before": "10", "cost_after": "1250"})}); !strings.HasPrefix(
		fees.Reasons[0].Text, "No GPU was held on 1 – 31 Oct, as far as the ledger knows:") {
		t.Errorf("of fees before it says %+v", fees.Reasons)
	}
	for i, want := range []string{
		"Volume accounts for +$600.00: more useful work. By team, speech has the most (+$700.00). Activity is unknown for 2.0\u202f% of",
		"Efficiency accounts for −$300.00: fewer GPU-hours for the same work. By team, vision has the most (−$280.00). Activity",
		"Price accounts for −$60.00: lower prices.",
	} {
		if i >= len(story.Reasons) || !strings.HasPrefix(story.Reasons[i].Text, want) {
			t.Errorf("reason %d is %+v, want %q", i, story.Reasons, want)
		}
	}
	if len(story.Reasons) != most {
		t.Errorf("%d reasons", len(story.Reasons))
	}
}

func TestAStoryWithoutACostBefore(t *testing.T) {
	teller := teller{Change: novembers()}
	story := teller.tell([]page.Record{told(map[string]string{
		"cost_before": "0", "cost_after": "40", "difference": "40", "volume": "40",
	})})
	if want := "Spend was $40.00; there was none before."; story.Sentence != want || len(story.Reasons) != 1 {
		t.Errorf("it says %+v, want %q", story, want)
	}
	if story = teller.tell(nil); story.Sentence != "No cost in either period." {
		t.Errorf("of nothing it says %q", story.Sentence)
	}
}

// Credits alone before are no amount that a share can be of, and no rows in a currency are not no cost.
func TestAStoryOfCreditsAndOfAnUnknownCurrency(t *testing.T) {
	teller := teller{Change: novembers()}
	story := teller.tell([]page.Record{told(map[string]string{
		"cost_before": "-2", "cost_after": "100", "difference": "102", "volume": "102",
	})})
	if want := "Spend was $100.00, after −$2.00 before."; story.Sentence != want {
		t.Errorf("it says %q, want %q", story.Sentence, want)
	}
	teller.Scope.Currency = "CHF"
	want := "No cost in CHF in either period: no bill is in CHF, or no exchange rate to it is stored."
	if story := teller.tell(nil); story.Sentence != want {
		t.Errorf("it says %q, want %q", story.Sentence, want)
	}
}

// Cost is by the hour: a period under an hour is not compared, where it said that all spend was gone.
func TestAPeriodUnderAnHourIsNotCompared(t *testing.T) {
	const hour = period.Second(3600)
	for length, short := range map[period.Second]bool{1: true, hour - 1: true, hour: false, 24 * hour: false} {
		c := Change{Scope: page.Scope{Span: period.Interval{From: 0, To: length}}}
		if got := c.tooShort() != ""; got != short {
			t.Errorf("%d seconds: too short %v", length, got)
		}
	}
	c := Change{Scope: page.Scope{Span: period.Interval{To: hour}}, Before: period.Interval{To: hour - 1}}
	if c.tooShort() == "" {
		t.Error("the period before is too short")
	}
}
