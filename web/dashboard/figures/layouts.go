package figures

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"gpuledger/internal/catalog/mig"
	"gpuledger/internal/period"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/chart"
	"gpuledger/web/views/format"
)

// mostCards limits the cards in the drawing of layouts; the table below has all rows.
const mostCards = 12

// drawLayouts draws the dataset layouts: how each card was cut over the shown period. A
// time without a layout is a gap.
func drawLayouts(p *page.Context, rows []page.Record) *views.LayoutHistory {
	cards := map[string]*chart.LayoutCard{}
	var order []string
	span := period.Interval{}
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b page.Record) int {
		return cmp.Compare(a.Second("valid_from"), b.Second("valid_from"))
	})
	for _, r := range rows {
		id, model := r.Text("device_uuid"), r.Text("gpu_model")
		within := period.Interval{From: r.Second("valid_from"), To: r.Second("valid_to")}
		if within.Empty() {
			continue
		}
		c := cards[id]
		if c == nil {
			name := deviceCell(p, id)
			c = &chart.LayoutCard{
				Name: name.Figure.Text, Note: page.Shorten(r.Text("node"), 22), Compute: mig.CardOf(model).Compute,
			}
			cards[id] = c
			order = append(order, id)
		}
		c.Layouts = append(c.Layouts, layoutSpan(c.Name, r, within))
		if span.Empty() {
			span = within
		}
		span.From, span.To = min(span.From, within.From), max(span.To, within.To)
	}
	if len(order) == 0 {
		return nil
	}
	slices.SortStableFunc(order, func(a, b string) int { // cards with changes first
		return cmp.Or(cmp.Compare(len(cards[b].Layouts), len(cards[a].Layouts)), cmp.Compare(a, b))
	})
	if shown := p.Shown(); !shown.Empty() { // clip to the shown period
		span.From, span.To = max(span.From, shown.From), min(span.To, shown.To)
	}
	l := chart.Layouts{
		ID: "layouts-desc", Span: span,
		Desc: "One band per card, as high as its number of compute slices. Each rectangle is a MIG instance; larger " +
			"instances are darker. The table below has the same data.",
	}
	changed := 0
	for i, id := range order {
		if len(cards[id].Layouts) > 1 {
			changed++
		}
		if i < mostCards {
			l.Cards = append(l.Cards, *cards[id])
		}
	}
	l.Label = format.Plural(len(order), "card was", "cards were") + " cut into MIG instances; " +
		format.Plural(changed, "changed its layout", "changed their layouts") + " from " + format.Instant(span.From) +
		" to " + format.Instant(span.To)
	out := &views.LayoutHistory{Wide: l.Draw(false), Narrow: l.Draw(true)}
	if more := len(order) - mostCards; more > 0 {
		out.Note = format.Plural(more, "further card is", "further cards are") + " in the table only"
	}
	return out
}

// layoutSpan is one layout with its unused compute slices. The slices that no profile fits
// are the row's dead compute, which takes the places of the instances into account.
func layoutSpan(card string, r page.Record, within period.Interval) chart.LayoutSpan {
	model, profiles := r.Text("gpu_model"), r.Text("profiles")
	words := strings.Fields(profiles)
	s := chart.LayoutSpan{Span: within, Text: mig.LayoutWords(profiles)}
	of := mig.CardOf(model)
	for _, w := range words {
		s.Compute = append(s.Compute, of.ShapeOf(w).Compute)
	}
	slices.SortFunc(s.Compute, func(a, b int) int { return b - a })
	left := of.Compute
	for _, n := range s.Compute {
		left -= n
	}
	if dead := r.Amount("dead_compute"); dead != nil {
		whole := new(big.Rat).Mul(dead.Rat(), big.NewRat(int64(of.Compute), 1))
		whole.Add(whole, big.NewRat(1, 2))
		s.Dead = int(new(big.Int).Quo(whole.Num(), whole.Denom()).Int64())
	}
	s.Free = left - s.Dead
	s.Title = card + ": " + cmp.Or(s.Text, "no instance") + "\n" + format.Instant(within.From) + " to " +
		format.Instant(within.To)
	if left > 0 {
		s.Title += "\n" + format.Plural(left, "compute slice", "compute slices") + " in no instance"
		switch {
		case s.Dead > 0 && left == 1:
			s.Title += ", and no profile fits it"
		case s.Dead > 0:
			s.Title += ", and no profile fits " + format.Count(int64(s.Dead)) + " of them"
		}
	}
	return s
}
