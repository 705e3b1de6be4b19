package review

import (
	"cmp"
	"context"
	"math/big"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/metrics/ask"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// Story is a difference in words: what changed, and what accounts for it.
type Story struct {
	Sentence string
	Reasons  []views.Reason // at most three, largest first, after what the data lack
	Currency string
	State    ledger.State // the least settled of both periods; empty without cost
}

// standing is the story's state as a tag, of provisional cost with the error of estimates so far; nil without cost.
func (s *Story) standing(ctx context.Context, reader page.Reader) *views.Tag {
	if s.State == "" {
		return nil
	}
	tag := page.Standing(s.State, s.Currency, page.EstimatesFor(ctx, reader, s.State == ledger.Provisional))
	return &tag
}

// most is how many reasons a story has.
const most = 3

// Story reads the difference, in the page's currency, and puts it into words.
func (c *Change) Story(ctx context.Context, reader page.Reader) (Story, error) {
	var whole, movers []page.Record
	var sides [2]side
	var errs [4]error
	earlier := c.Scope.During(c.Before)
	page.Parallel(
		func() { whole, errs[0] = gather(ctx, reader, c.question("")) },
		func() { movers, errs[1] = gather(ctx, reader, c.question("team")) },
		func() { sides[0], errs[2] = readSide(ctx, reader, earlier) },
		func() { sides[1], errs[3] = readSide(ctx, reader, c.Scope) },
	)
	for _, err := range errs {
		if err != nil {
			return Story{}, err
		}
	}
	if short := c.tooShort(); short != "" {
		return Story{Sentence: short}, nil
	}
	t := teller{Change: c, movers: movers, sides: sides}
	return t.tell(whole), nil
}

// tooShort says that one of the periods is under an hour: cost is by the hour, so there is nothing to compare. It is
// empty for longer ones.
func (c *Change) tooShort() string {
	const hour = period.Second(3600)
	for _, span := range []period.Interval{c.Scope.Span, c.Before} {
		if !span.Empty() && span.To-span.From < hour {
			return "The period is under an hour, and cost is by the hour: choose whole hours or days."
		}
	}
	return ""
}

func gather(ctx context.Context, reader page.Reader, question ask.Question) ([]page.Record, error) {
	q, err := question.Query()
	if err != nil {
		return nil, err
	}
	return page.Gather(ctx, reader, q)
}

// side is what a story knows of one of the two periods.
type side struct {
	held   bool                    // it has GPU-hours that were held
	unseen *big.Rat                // share of held GPU-hours whose activity is not known; nil without held hours
	states map[string]ledger.State // the least settled, by currency
}

func readSide(ctx context.Context, reader page.Reader, s page.Scope) (side, error) {
	var held, unseen money.Amount
	out := side{states: map[string]ledger.State{}}
	err := page.Each(ctx, reader, "costs", s.For("costs", metrics.Options{GroupBy: "cause"}),
		[]string{"gpu_hours", "effective_cost", "state"}, func(r page.Record) error {
			if state := ledger.State(r.Text("state")); state.Awaits(r.Value("effective_cost").Valid) {
				out.states[r.Text("currency")] = max(out.states[r.Text("currency")], state) // final < open < provisional
			}
			hours := r.Known("gpu_hours")
			held = held.Add(hours)
			if r.Text("cause") == string(ledger.Unobserved) {
				unseen = unseen.Add(hours)
			}
			return nil
		})
	if err == nil && held.Sign() > 0 {
		out.held, out.unseen = true, format.Ratio(unseen.Rat(), held.Rat())
	}
	return out, err
}

// teller puts one difference into words.
type teller struct {
	*Change
	movers []page.Record
	sides  [2]side
}

// tell picks the currency with the largest cost and describes its difference.
func (t *teller) tell(whole []page.Record) Story {
	row, found := largest(whole, cmp.Or(t.Scope.Currency, t.Only))
	if !found {
		return Story{Sentence: noCost(cmp.Or(t.Scope.Currency, t.Only))}
	}
	currency := row.Text("currency")
	coin := format.Currency(currency)
	before, after, difference := row.Known("cost_before"), row.Known("cost_after"), row.Known("difference")
	st := Story{Sentence: moved(coin, before, after, difference), Currency: currency,
		State: max(t.sides[0].states[currency], t.sides[1].states[currency])}
	if t.SoFar != nil && !before.IsZero() {
		st.Sentence = "Spend so far is " + coin.Whole(after) + "; in all of " + format.ShortDays(t.Before) + " it was " +
			coin.Whole(before) + "."
	}
	type bar struct {
		name   string
		amount money.Amount
	}
	var bars []bar
	for _, name := range parts {
		if a := row.Known(name); !a.IsZero() {
			bars = append(bars, bar{name, a})
		}
	}
	slices.SortStableFunc(bars, func(a, b bar) int { return page.Size(&b.amount).Cmp(page.Size(&a.amount)) })
	st.Reasons = slices.Clone(t.SoFar)
	if t.sides[1].held && !t.sides[0].held && !before.IsZero() {
		st.Reasons = append(st.Reasons, views.Reason{Text: "No GPU was held on " + format.ShortDays(t.Before) +
			", as far as the ledger knows: its cost is fees and free machines."})
	}
	for _, b := range bars[:min(len(bars), most)] {
		st.Reasons = append(st.Reasons, views.Reason{
			Text: metrics.Label(b.name) + " accounts for " + coin.Change(b.amount) + ": " + t.who(b.name, currency, coin, b.amount) +
				t.doubt(b.name),
			Link: views.Link{
				Text: "Who moved it", Href: t.Page("by", "team", "measure", b.name) + "#panel-movers",
			},
		})
	}
	return st
}

// noCost says that neither period has a cost, in the currency of the page.
func noCost(currency string) string {
	if currency == "" {
		return "No cost in either period."
	}
	return page.NoCost(currency, "in either period")
}

// largest is the row of a currency, or that with the most cost.
func largest(rows []page.Record, currency string) (best page.Record, found bool) {
	size := func(r page.Record) money.Amount { return r.Known("cost_before").Add(r.Known("cost_after")) }
	for _, r := range rows {
		if currency != "" && r.Text("currency") != currency {
			continue
		}
		if !found || size(r).Cmp(size(best)) > 0 {
			best, found = r, true
		}
	}
	return best, found
}

// moved says what changed.
func moved(coin format.Currency, before, after, difference money.Amount) string {
	switch {
	case before.IsZero():
		return "Spend was " + coin.Whole(after) + "; there was none before."
	case before.Sign() < 0: // credits: no share of them means anything
		return "Spend was " + coin.Whole(after) + ", after " + coin.Whole(before) + " before."
	case difference.IsZero():
		return "Spend did not change: " + coin.Whole(after) + "."
	}
	word := "more"
	if difference.Sign() < 0 {
		word = "less"
	}
	size := page.Size(&difference)
	return "Spend was " + coin.Whole(after) + ", " + coin.Whole(size) + " (" + format.Share(size, before) + ") " + word +
		" than before."
}

// meanings say what each part is.
var meanings = map[string][2]string{ // more, less
	"volume":        {"more useful work", "less useful work"},
	"efficiency":    {"more GPU-hours for the same work", "fewer GPU-hours for the same work"},
	"mix":           {"dearer GPU models and price classes", "cheaper GPU models and price classes"},
	"price":         {"higher prices", "lower prices"},
	"exchange":      {"a higher exchange rate", "a lower exchange rate"},
	"without_hours": {"more fees, shared cost and unused commitments", "less fees, shared cost and unused commitments"},
}

// who says what a part means, and which team moved it most, if there are several.
func (t *teller) who(part, currency string, coin format.Currency, whole money.Amount) string {
	text := meanings[part][0]
	if whole.Sign() < 0 {
		text = meanings[part][1]
	}
	var best *page.Record
	teams := 0
	for i := range t.movers {
		r := &t.movers[i]
		if r.Text("currency") != currency {
			continue
		}
		teams++
		a := r.Known(part)
		if a.Sign() == whole.Sign() && (best == nil || page.Size(&a).Cmp(page.Size(best.Amount(part))) > 0) {
			best = r
		}
	}
	if best == nil || teams < 2 {
		return text + "."
	}
	return text + ". By team, " + page.TeamName(best.Text("team")) + " has the most (" + coin.Change(best.Known(part)) + ")."
}

// mostUnseen is the share of unknown activity from which efficiency is doubtful: one percent.
var mostUnseen = big.NewRat(1, 100)

// doubt adds to a part of useful work how much activity is not known.
func (t *teller) doubt(part string) string {
	if part != "efficiency" && part != "volume" {
		return ""
	}
	worst := new(big.Rat)
	for i := range t.sides {
		u := t.sides[i].unseen
		if u != nil && u.Cmp(worst) > 0 {
			worst = u
		}
	}
	if worst.Cmp(mostUnseen) <= 0 {
		return ""
	}
	return " Activity is unknown for " + strings.TrimSpace(format.Percent(worst, page.One)) + " of held GPU-hours, so " +
		part + " may be off by as much."
}
