package costs

import (
	"context"
	"math/big"
	"slices"
	"strings"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/chart"
	"gpuledger/web/views/format"
)

// targetDay is the value of one target on one day.
type targetDay struct {
	Target, Subject, Unit, Currency string
	Day, Since                      period.Second
	Value, Change, Numerator        *money.Amount
	Status                          metrics.Status
}

// readTargets lists the days of the scope by target, oldest first. Targets cover the whole
// fleet, whatever the filter.
func readTargets(ctx context.Context, reader page.Reader, s page.Scope) ([]targetDay, error) {
	var out []targetDay
	err := page.Each(ctx, reader, "targets", metrics.Options{From: s.From, To: s.To}, nil, func(r page.Record) error {
		out = append(out, targetDay{
			Target: r.Text("target"), Subject: r.Text("subject"), Unit: r.Text("unit"),
			Currency: r.Text("currency"), Day: r.Second("day"), Since: r.Second("since"),
			Value: r.Amount("value"), Change: r.Amount("change"),
			Numerator: r.Amount("numerator"), Status: metrics.Status(r.Text("status")),
		})
		return nil
	})
	return out, err
}

// targetTiles returns a tile per target with its verdict in words. For costs per unit it
// shows the model with the highest cost, in the page's currency. The name includes the day,
// because the same figure over the period differs.
func targetTiles(p *page.Context, days []targetDay) []views.Tile {
	var out []views.Tile
	for _, t := range metrics.Targets {
		own := slices.DeleteFunc(slices.Clone(days), func(d targetDay) bool {
			return d.Target != t.Name || d.Currency != "" && p.Currency != "" && format.Currency(d.Currency) != p.Currency
		})
		own = costliest(own)
		if len(own) == 0 {
			out = append(out, views.Tile{
				Name: t.Label, Value: views.Figure{Text: format.NA, Title: "nothing to judge in this period", Zero: true},
				Note: "nothing to judge", Define: "targets.value", Third: true,
			})
			continue
		}
		out = append(out, targetTile(p, t, own))
	}
	return out
}

// costliest keeps the days of the subject, unit and currency with the highest cost.
func costliest(days []targetDay) []targetDay {
	spent := map[[3]string]money.Amount{}
	var most [3]string
	for _, d := range days {
		k := [3]string{d.Subject, d.Unit, d.Currency}
		if d.Numerator != nil {
			spent[k] = spent[k].Add(*d.Numerator)
		}
		if a := spent[k]; a.Cmp(spent[most]) > 0 {
			most = k
		}
	}
	return slices.DeleteFunc(days, func(d targetDay) bool { return [3]string{d.Subject, d.Unit, d.Currency} != most })
}

func targetTile(p *page.Context, t metrics.NamedTarget, days []targetDay) views.Tile {
	last := days[len(days)-1]
	of := ", " + format.Day(last.Day)
	if p.Scope.Filtered() {
		of = ", whole fleet" + of
	}
	tile := views.Tile{Name: t.Label + of, Define: "targets.value", Note: t.Target.String(), Third: true,
		Tag: &views.Tag{
			Text: string(last.Status), Tone: figures.VerdictTones[last.Status],
			Title: "on " + format.Day(last.Day) + ", target " + t.Target.String(),
		}}
	if last.Status != metrics.StatusUnknown && last.Since < last.Day {
		tile.Tag.Text += " since " + format.Day(last.Since)
	}
	points := make([]float64, len(days))
	for i, d := range days {
		if points[i] = page.Gap; d.Value != nil {
			points[i] = page.Pixels(*d.Value)
		}
	}
	tile.Spark = chart.Spark(points)
	switch {
	case last.Value == nil:
		tile.Value = views.Figure{Text: format.NA, Title: "nothing to divide by on " + format.Day(last.Day), Zero: true}
	case last.Subject != "":
		coin := format.Currency(last.Currency)
		tile.Name, tile.Note = "Per "+last.Unit+of, last.Subject
		tile.Value = views.Figure{
			Text:  coin.UnitPrice(last.Value.Rat()),
			Title: coin.Exact(*last.Value) + " on " + format.Day(last.Day), Copy: last.Value.String(),
		}
		if last.Change != nil {
			tile.Note += ", " + signedPercent(*last.Change) + " vs the four weeks before"
		}
	default:
		tile.Value = views.Figure{
			Text:  format.Percent(last.Value.Rat(), page.One),
			Title: last.Value.String() + " on " + format.Day(last.Day), Copy: last.Value.String(),
		}
	}
	return tile
}

func signedPercent(a money.Amount) string {
	text := format.Percent(a.Rat(), big.NewRat(1, 1))
	if a.Sign() > 0 && !strings.HasPrefix(text, "<") {
		return "+" + text
	}
	return text
}
