package costs

import (
	"context"
	"math/big"

	"gpuledger/allocation/policy"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// served are the unit costs of served models; nil if nothing was counted.
type served struct{ perMillionTokens, perThousandCalls *big.Rat }

// readUnitTargets reads the targets that hold at the end of the page's data.
func readUnitTargets(ctx context.Context, reader page.Reader, p *page.Context) (metrics.UnitTargets, error) {
	end := p.Extent.Data
	if to := p.Scope.Span.To; to != 0 {
		end = min(end, to)
	}
	return metrics.ReadUnitTargets(ctx, reader, end-1)
}

// readServed reads the unit costs of served models by currency, if the policy has targets for any. A filter that models
// do not have would show those of others, so it reads none.
func readServed(
	ctx context.Context, reader page.Reader, s page.Scope, targets metrics.UnitTargets,
) (map[string]served, error) {
	if !targets.Has(policy.PerMillionTokens, s.Team) && !targets.Has(policy.PerThousandCalls, s.Team) ||
		s.Provider != "" || len(s.Left("inference")) > 0 {
		return nil, nil
	}
	out := map[string]served{}
	o := s.Closed().Mixed().For("inference", metrics.Options{GroupBy: "currency", Granularity: string(metrics.Total)})
	err := page.Each(ctx, reader, "inference", o, []string{policy.PerMillionTokens, policy.PerThousandCalls},
		func(r page.Record) error {
			var v served
			if a := r.Amount(policy.PerMillionTokens); a != nil {
				v.perMillionTokens = a.Rat()
			}
			if a := r.Amount(policy.PerThousandCalls); a != nil {
				v.perThousandCalls = a.Rat()
			}
			out[r.Text("currency")] = v
			return nil
		})
	return out, err
}

// withUnitTargets adds to the tiles of unit costs their targets, and tiles of served models if the policy has targets
// for them. Without a target nothing is added.
func withUnitTargets(p *page.Context, o *views.Overview, f overviewFacts, perRun *big.Rat) {
	if f.unitTargetsErr != nil {
		o.Notes = append(o.Notes, "The targets of unit costs could not be read.")
		return
	}
	for i := range o.Tiles {
		switch o.Tiles[i].Define {
		case "costs." + policy.PerActiveGPUHour:
			o.Tiles[i].Goal = goal(p, f, policy.PerActiveGPUHour, f.perActive[string(p.Currency)])
		case "runs." + policy.PerCompletedRun:
			o.Tiles[i].Goal = goal(p, f, policy.PerCompletedRun, perRun)
		}
	}
	if f.served == nil {
		return
	}
	now := f.served[string(p.Currency)]
	for _, unit := range []struct {
		measure, name, divisor string
		cost                   *big.Rat
	}{
		{policy.PerMillionTokens, "Per 1M tokens", "effective cost ÷ million tokens", now.perMillionTokens},
		{policy.PerThousandCalls, "Per 1,000 requests", "effective cost ÷ thousand requests", now.perThousandCalls},
	} {
		t, _ := f.target(p, unit.measure)
		if unit.cost == nil && (p.Scope.Team != t.Team || len(f.served) > 0) {
			continue // the team, or the currency, serves nothing that the target is for
		}
		if g := goal(p, f, unit.measure, unit.cost); g != nil {
			o.Tiles = append(o.Tiles, views.Tile{
				Name: unit.name, Define: "inference." + unit.measure, Goal: g, Note: "where they are counted",
				Value: page.Price(p.Currency, unit.cost, unit.divisor),
			})
		}
	}
}

// target is the target of the page's team, else of the fleet. The figures of a reader with a scope are no fleet's: they
// have the target of the team that is all of them, or none.
func (f *overviewFacts) target(p *page.Context, measure string) (metrics.UnitTarget, bool) {
	if f.inPart && p.Scope.Team == "" {
		return f.unitTargets.Own(measure, f.onlyTeam())
	}
	return f.unitTargets.For(measure, p.Scope.Team)
}

// onlyTeam is the only team with cost on the page; empty if there are several.
func (f *overviewFacts) onlyTeam() (only string) {
	if f.cube == nil {
		return ""
	}
	for _, r := range f.cube.Rows {
		switch {
		case r.Team == "" || r.Team == page.Unowned || r.Team == only:
		case only != "":
			return ""
		default:
			only = r.Team
		}
	}
	return only
}

// goal compares a unit cost with its target; nil without a target.
func goal(p *page.Context, f overviewFacts, measure string, cost *big.Rat) *views.Goal {
	t, found := f.target(p, measure)
	if !found {
		return nil
	}
	g := &views.Goal{Title: "policy " + t.Version + ": " + format.Coded(t.Currency).Exact(t.Stated)}
	if t.Amount == nil {
		g.Text = t.From() + ": n/a, no exchange rate from " + t.Currency
		return g
	}
	g.Text = t.From() + ": " + p.Currency.UnitPrice(t.Amount.Rat())
	if status := t.Of(cost); status != metrics.StatusUnknown {
		g.Tag = &views.Tag{
			Text: figures.VerdictWords[status], Tone: figures.VerdictTones[status], Title: "over the period of the page",
		}
	}
	return g
}

// widths lets tiles fill rows: with more than two units, the shares fill the row below.
func widths(tiles []views.Tile, units int) {
	if units < 3 {
		return
	}
	for i := range tiles {
		tiles[i].Fourth = i < units && units == 3
		tiles[i].Third = !tiles[i].Fourth
	}
}
