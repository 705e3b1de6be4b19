package advice

import (
	"testing"

	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// fourWeeks end with the week.
func fourWeeks() period.Interval {
	return period.Interval{From: week().To - 28*period.Day, To: week().To}
}

func TestLifeWithinTheWindow(t *testing.T) {
	w := week()
	p := Presence{}
	// two hours of day 1, one of them begun
	p.Span(period.Interval{From: w.From + period.Day + 90*period.Minute, To: w.From + period.Day + 3*period.Hour})
	// a second of day 3
	p.Span(period.Interval{From: w.From + 3*period.Day, To: w.From + 3*period.Day + 1})
	// before
	p.Span(period.Interval{From: w.From - period.Day, To: w.From - period.Hour})
	p.Span(period.Interval{From: w.To, To: w.To + period.Hour}) // after
	l := p.In(w)
	if l.From != w.From+period.Day+period.Hour || l.To != w.To || l.Seen != 3 || l.Days != 2 || l.Hours() != 5*24+23 {
		t.Errorf("%+v, %d hours", l, l.Hours())
	}
	if none := (Presence{}).In(w); none.Hours() != 0 || none.Seen != 0 {
		t.Errorf("never there: %+v", none)
	}
}

// Cards observed on seven days of a fleet of four weeks: 1,218 in that time is 5,292.50 a month, not 1,323.13, which
// scaling from the whole window would give.
func TestMonthlySavingScalesFromTheSubjectsLife(t *testing.T) {
	c := Cards{
		Cluster: "prod", GPUModel: "A100", Window: fourWeeks(), Used: 2,
		Fewest: 1, Exact: true, Currency: "USD", There: always(),
	}
	for d := range 7 {
		c.Days = append(c.Days, CardDay{
			Day: week().From + period.Second(d)*period.Day, Cards: 2, Cost: money.MustParse("348"),
		})
	}
	r, ok := c.ToLayout()
	if !ok || r.Saving.String() != "1218" || r.PerMonth().String() != "5292.5" || r.Confidence != Medium {
		t.Errorf("%v: saves %s, %s a month, %s", ok, r.Saving, r.PerMonth(), r.Confidence)
	}
	// partitioned, but no slice was held for three days
	c.There = there(period.Interval{From: week().From + 3*period.Day, To: week().To})
	if r, _ := c.ToLayout(); r.Life.Hours() != 168 || r.Life.Seen != 96 {
		t.Errorf("cards without holders: %+v", r.Life)
	}
}

// A subject present eight hours a day has a third of a month, not a whole one.
func TestMonthlySavingCountsOnlyPresentHours(t *testing.T) {
	p := Presence{}
	for d := range 7 {
		at := week().From + period.Second(d)*period.Day
		p.Span(period.Interval{From: at, To: at + 8*period.Hour})
	}
	r := FromFindings([]Finding{{Kind: "forgotten_notebook", Open: true, Cost: money.MustParse("56"), Currency: "USD",
		There: p}}, fourWeeks())[0]
	// 1 an hour × 730 × 56 of 168 hours.
	if r.Life.Seen != 56 || r.Life.Hours() != 168 || r.PerMonth().Rat().FloatString(6) != "243.333333" {
		t.Errorf("%+v: %s a month", r.Life, r.PerMonth())
	}
}

// A longer window without the subject changes neither its monthly saving nor its hours or confidence.
func TestALongerWindowChangesNoMonthlySaving(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := week().From + period.Second(rapid.IntRange(0, 6*24).Draw(t, "appears"))*period.Hour
		p := Presence{}
		for at := from; at < week().To; at += period.Hour {
			if at == from || rapid.Bool().Draw(t, "there") {
				p.Span(period.Interval{From: at, To: at + period.Hour})
			}
		}
		cost := money.MustParse(rapid.StringMatching(`[1-9][0-9]{0,4}\.[0-9]{2}`).Draw(t, "cost"))
		d := demand()
		d.There, d.Cost, d.Days = p, cost, p.In(week()).Days
		card := Cards{
			Window: week(), Used: 2, Fewest: 1, Exact: true, Currency: "USD",
			There: p, Days: []CardDay{{from.Floor(period.Day), 2, cost}},
		}
		all := func(window period.Interval) []Recommendation {
			list := FromFindings([]Finding{{Kind: "hoarding", Open: true, Cost: cost, Currency: "USD", Quality: ledger.Measured,
				There: p}}, window)
			d.Window, card.Window = window, window
			size, _ := d.ToSlice(DefaultHeadroom)
			layout, _ := card.ToLayout()
			return append(list, size, layout)
		}
		short, long := all(week()), all(period.Interval{From: week().From - 7*period.Day, To: week().To})
		for i := range short {
			a, b := &short[i], &long[i]
			ma, mb := a.PerMonth(), b.PerMonth()
			if (ma == nil) != (mb == nil) || ma != nil && ma.Cmp(*mb) != 0 || a.Life != b.Life || a.Confidence != b.Confidence {
				t.Fatalf("%s: %v, %+v, %s in a week; %v, %+v, %s in two", a.Kind, ma, a.Life, a.Confidence, mb, b.Life,
					b.Confidence)
			}
			if ma != nil && ma.Cmp(a.Saving) < 0 {
				t.Fatalf("%s: a month saves %s, and %d hours of it %s", a.Kind, ma, a.Life.Hours(), a.Saving)
			}
		}
	})
}
