package pricebook

import (
	"fmt"
	"sort"

	"go.yaml.in/yaml/v3"

	"gpuledger/internal/ledger"
)

// entry is a rate and its line.
type entry struct {
	ledger.Rate
	line int
}

var rateKeys = []string{
	"instance_type", "region", "price_class", "currency", "hourly", "valid_from", "valid_to", "source",
}

// rate reads one entry of rates:; a faulty one is left out after its rejections.
func (p *parser) rate(n *yaml.Node) {
	m := p.mapping(n, "", rateKeys)
	e := entry{line: n.Line, Rate: ledger.Rate{Valid: always}}
	e.InstanceType, e.Region = m.need("instance_type"), m.text("region")
	e.PriceClass = ledger.PriceClass(m.need("price_class"))
	e.Currency = m.currency("currency")
	hourly := m.need("hourly")
	if e.Source = m.text("source"); e.Source == "" {
		e.Source = p.file
	}
	if m.bad() {
		return
	}
	switch e.PriceClass {
	case ledger.OnDemand, ledger.Spot, ledger.SavingsPlan, ledger.Reserved, ledger.Owned:
	default:
		m.reject("price_class", "unknown price class",
			fmt.Sprintf("%q is not one of on_demand, spot, savings_plan, reserved, owned", e.PriceClass))
	}
	e.Hourly = m.amount("hourly", hourly)
	if m.text("valid_from") != "" {
		e.Valid.From = m.at("valid_from")
	}
	if m.text("valid_to") != "" {
		e.Valid.To = m.at("valid_to")
	}
	if m.bad() {
		return
	}
	if e.Valid.Empty() {
		p.reject(n.Line, "valid_to", "end before start",
			fmt.Sprintf("the entry is valid from %s to %s, which is never", e.Valid.From, e.Valid.To))
		return
	}
	e.ID = ledger.NewID("rate", e.InstanceType, e.Region, string(e.PriceClass), e.Currency, e.Hourly.String(),
		e.Valid.String(), e.Source)
	p.rates = append(p.rates, e)
}

// overlaps refuses two prices for the same thing at the same time.
func (p *parser) overlaps() {
	type key struct{ instanceType, region, class string }
	groups := map[key][]entry{}
	for _, e := range p.rates {
		k := key{e.InstanceType, e.Region, string(e.PriceClass)}
		groups[k] = append(groups[k], e)
	}
	var clashes []entry
	with := map[int]int{}
	for _, g := range groups {
		sort.Slice(g, func(i, j int) bool {
			if g[i].Valid.From != g[j].Valid.From {
				return g[i].Valid.From < g[j].Valid.From
			}
			return g[i].line < g[j].line
		})
		latest := 0 // the entry that ends last
		for i := 1; i < len(g); i++ {
			if g[i].Valid.From < g[latest].Valid.To {
				clashes = append(clashes, g[i])
				with[g[i].line] = g[latest].line
			}
			if g[i].Valid.To > g[latest].Valid.To {
				latest = i
			}
		}
	}
	sort.Slice(clashes, func(i, j int) bool { return clashes[i].line < clashes[j].line })
	for _, e := range clashes {
		p.reject(e.line, "", "overlapping entries",
			fmt.Sprintf("%s %s %s is also priced by the entry on line %d at the same time; "+
				"give one of them valid_from or valid_to",
				e.InstanceType, e.Region, e.PriceClass, with[e.line]))
	}
}
