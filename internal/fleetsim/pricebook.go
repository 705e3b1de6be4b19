package fleetsim

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// bookRate is one rate of the price book.
type bookRate struct {
	typ, class, hourly, source string
}

// rateCard are the provisional prices of the site's machines by price class.
func (w *world) rateCard() []bookRate {
	milli := func(v int64) string { return fmt.Sprintf("%d.%03d", v/1000, v%1000) }
	var out []bookRate
	if w.cfg.Unbilled {
		return nil
	}
	switch w.site.provider {
	case aws:
		for _, t := range instanceTypes {
			out = append(out, bookRate{t.name, "on_demand", t.onDemand, "AWS on-demand list price, us-east-1, Linux"})
			if t.plan != "" {
				out = append(out, bookRate{t.name, "savings_plan", t.plan, "Compute Savings Plan, 1 year, no upfront"})
			}
			out = append(out, bookRate{t.name, "spot", milli(t.spotMilli), "spot price, mean of the last 30 days"})
		}
		if w.cfg.Commitments {
			out = append(out, bookRate{"g5.xlarge", "reserved", "0.592", "reservation, 1 year, all upfront"}, bookRate{"g6.xlarge", "reserved", "0.494", "reservation, 1 year, partial upfront"},
				bookRate{blockType, "on_demand", typeOf(blockType).onDemand, "AWS on-demand list price, us-east-1, Linux"}, bookRate{blockType, "reserved", "11.8224", "capacity block"})
		}
	case gcp, azure:
		names := []string{w.site.training, w.site.spot, w.site.serving, w.site.bench}
		for i, name := range names {
			t := typeOf(name)
			if t == nil || slices.Contains(names[:i], name) {
				continue
			}
			out = append(out, bookRate{name, "on_demand", t.onDemand, "list price, " + w.site.region + ", Linux"})
			if name == w.site.training {
				rate := t.plan
				if w.site.provider == azure {
					rate = t.reservedRate
				}
				out = append(out, bookRate{name, w.site.plannedClass, rate, "commitment of a year"})
			}
			if t.spotMilli != 0 {
				out = append(out, bookRate{name, "spot", milli(t.spotMilli), "spot price, mean of the last 30 days"})
			}
		}
	case owned: // charged, not estimated
	}
	return out
}

func (f *Fleet) writePriceBook(dir string) error {
	var body []byte
	for _, c := range f.clusters {
		if c.w.site.provider == owned {
			if body == nil {
				body = append(body, c.w.ownedHead()...)
			}
			body = append(body, c.w.ownedEntry()...)
		}
	}
	body = append(body, "# Rates for node-hours that the bill does not cover yet, per instance-hour.\nrates:\n"...)
	for _, c := range f.clusters {
		for _, r := range c.w.rateCard() {
			body = fmt.Appendf(body, "  - {instance_type: %s, region: %s, price_class: %s, currency: %s, hourly: %q, valid_from: 2026-01-01T00:00:00Z, source: %q}\n",
				r.typ, c.w.site.region, r.class, c.w.site.currency, r.hourly, r.source)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "price-book.yaml"), body, 0o644); err != nil {
		return fmt.Errorf("write price book: %w", err)
	}
	return nil
}
