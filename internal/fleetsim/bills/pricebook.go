package bills

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"gpuledger/internal/fleetsim/world"
)

// BookRate is one rate of the price book.
type BookRate struct {
	Type, Class, Hourly, source string
}

// RateCard are the provisional prices of the site's machines by price class.
func RateCard(w *world.World) []BookRate {
	milli := func(v int64) string { return fmt.Sprintf("%d.%03d", v/1000, v%1000) }
	var out []BookRate
	if w.Config.Unbilled {
		return nil
	}
	switch w.Site.Provider {
	case world.AWS:
		for _, t := range world.InstanceTypes {
			out = append(out, BookRate{t.Name, "on_demand", t.OnDemand, "AWS on-demand list price, us-east-1, Linux"})
			if t.Plan != "" {
				out = append(out, BookRate{t.Name, "savings_plan", t.Plan, "Compute Savings Plan, 1 year, no upfront"})
			}
			out = append(out, BookRate{t.Name, "spot", milli(t.SpotMilli), "spot price, mean of the last 30 days"})
		}
		if w.Config.Commitments {
			out = append(out, BookRate{"g5.xlarge", "reserved", "0.592", "reservation, 1 year, all upfront"},
				BookRate{"g6.xlarge", "reserved", "0.494", "reservation, 1 year, partial upfront"},
				BookRate{
					world.BlockType, "on_demand", world.TypeOf(world.BlockType).OnDemand, "AWS on-demand list price, us-east-1, Linux",
				}, BookRate{world.BlockType, "reserved", "11.8224", "capacity block"})
		}
	case world.GCP, world.Azure:
		names := []string{w.Site.Training, w.Site.Spot, w.Site.Serving, w.Site.Bench}
		for i, name := range names {
			t := world.TypeOf(name)
			if t == nil || slices.Contains(names[:i], name) {
				continue
			}
			out = append(out, BookRate{name, "on_demand", t.OnDemand, "list price, " + w.Site.Region + ", Linux"})
			if name == w.Site.Training {
				rate := t.Plan
				if w.Site.Provider == world.Azure {
					rate = t.ReservedRate
				}
				out = append(out, BookRate{name, w.Site.PlannedClass, rate, "commitment of a year"})
			}
			if t.SpotMilli != 0 {
				out = append(out, BookRate{name, "spot", milli(t.SpotMilli), "spot price, mean of the last 30 days"})
			}
		}
	case world.Owned: // charged, not estimated
	}
	return out
}

// WritePriceBook writes the book of all clusters: owned machines, then rates.
func WritePriceBook(dir string, worlds []*world.World) error {
	var body []byte
	for _, w := range worlds {
		if w.Site.Provider == world.Owned {
			if body == nil {
				body = append(body, ownedHead(w)...)
			}
			body = append(body, ownedEntry(w)...)
		}
	}
	body = append(body, "# Rates for node-hours that the bill does not cover yet, per instance-hour.\nrates:\n"...)
	for _, w := range worlds {
		for _, r := range RateCard(w) {
			body = fmt.Appendf(body, "  - {instance_type: %s, region: %s, price_class: %s, currency: %s, hourly: %q, "+
				"valid_from: 2026-01-01T00:00:00Z, source: %q}\n",
				r.Type, w.Site.Region, r.Class, w.Site.Currency, r.Hourly, r.source)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "price-book.yaml"), body, 0o644); err != nil {
		return fmt.Errorf("write price book: %w", err)
	}
	return nil
}
