package fleetsim

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// BookRate is one rate of the price book.
type BookRate struct {
	Type, Class, Hourly, source string
}

// RateCard are the provisional prices of the site's machines by price class.
func (w *World) RateCard() []BookRate {
	milli := func(v int64) string { return fmt.Sprintf("%d.%03d", v/1000, v%1000) }
	var out []BookRate
	if w.Config.Unbilled {
		return nil
	}
	switch w.Site.Provider {
	case AWS:
		for _, t := range instanceTypes {
			out = append(out, BookRate{t.Name, "on_demand", t.OnDemand, "AWS on-demand list price, us-east-1, Linux"})
			if t.plan != "" {
				out = append(out, BookRate{t.Name, "savings_plan", t.plan, "Compute Savings Plan, 1 year, no upfront"})
			}
			out = append(out, BookRate{t.Name, "spot", milli(t.spotMilli), "spot price, mean of the last 30 days"})
		}
		if w.Config.Commitments {
			out = append(out, BookRate{"g5.xlarge", "reserved", "0.592", "reservation, 1 year, all upfront"}, BookRate{"g6.xlarge", "reserved", "0.494", "reservation, 1 year, partial upfront"},
				BookRate{blockType, "on_demand", TypeOf(blockType).OnDemand, "AWS on-demand list price, us-east-1, Linux"}, BookRate{blockType, "reserved", "11.8224", "capacity block"})
		}
	case GCP, Azure:
		names := []string{w.Site.training, w.Site.spot, w.Site.serving, w.Site.bench}
		for i, name := range names {
			t := TypeOf(name)
			if t == nil || slices.Contains(names[:i], name) {
				continue
			}
			out = append(out, BookRate{name, "on_demand", t.OnDemand, "list price, " + w.Site.Region + ", Linux"})
			if name == w.Site.training {
				rate := t.plan
				if w.Site.Provider == Azure {
					rate = t.reservedRate
				}
				out = append(out, BookRate{name, w.Site.PlannedClass, rate, "commitment of a year"})
			}
			if t.spotMilli != 0 {
				out = append(out, BookRate{name, "spot", milli(t.spotMilli), "spot price, mean of the last 30 days"})
			}
		}
	case Owned: // charged, not estimated
	}
	return out
}

func (f *Fleet) writePriceBook(dir string) error {
	var body []byte
	for _, c := range f.Clusters {
		if c.World.Site.Provider == Owned {
			if body == nil {
				body = append(body, c.World.ownedHead()...)
			}
			body = append(body, c.World.ownedEntry()...)
		}
	}
	body = append(body, "# Rates for node-hours that the bill does not cover yet, per instance-hour.\nrates:\n"...)
	for _, c := range f.Clusters {
		for _, r := range c.World.RateCard() {
			body = fmt.Appendf(body, "  - {instance_type: %s, region: %s, price_class: %s, currency: %s, hourly: %q, valid_from: 2026-01-01T00:00:00Z, source: %q}\n",
				r.Type, c.World.Site.Region, r.Class, c.World.Site.Currency, r.Hourly, r.source)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "price-book.yaml"), body, 0o644); err != nil {
		return fmt.Errorf("write price book: %w", err)
	}
	return nil
}
