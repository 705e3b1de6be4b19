package gcpbilling

import (
	"strings"

	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
)

// where sets region and zone from the location, else from the resource's name.
func (m *mapper) where(r row, c *ledger.Charge) {
	location := r.TextOf(colLocation)
	zone := r.TextOf(colZone)
	if zone == "" {
		if i, ok := readInstance(c.ResourceID); ok {
			zone = i.zone
		} else if zoneName(location) {
			zone = location
		}
	}
	region := r.TextOf(colRegion)
	if region == "" {
		switch {
		case zoneName(zone):
			region = zone[:len(zone)-2]
		case regionName(location):
			region = location
		}
	}
	c.Zone, c.Region = m.words.Intern(zone), m.words.Intern(region)
}

// machine is the key of the row's instance. If the resource has only a name, it is a machine's
// name if the row bills a part of one.
func (m *mapper) machine(r row, kind skuKind) (key string, named bool) {
	project := r.TextOf(colProject)
	if i, ok := readInstance(r.TextOf(colResource)); ok {
		return m.words.Intern(i.key(project)), true
	}
	name := r.TextOf(colResourceName)
	if kind.part == notMachine || name == "" || strings.Contains(name, "/") || project == "" {
		return "", false
	}
	zone := r.TextOf(colZone)
	if zone == "" {
		zone = r.TextOf(colLocation)
	}
	if !zoneName(zone) {
		return "", false
	}
	return m.words.Intern(ledger.GoogleNameKey(project, zone, name)), true
}

// usage sets the charge's usage: amount, unit, machine, its time and price class.
func (m *mapper) usage(r row, c *ledger.Charge, f *facts) (notes []string, bad *table.CellError) {
	c.UsageUnit = m.words.Intern(r.TextOf(colUsageUnit))
	label := func(key string) string { return labelOf(f.system, key) }
	c.InstanceType = m.words.Intern(label(labelSpec))
	c.InstanceID, _ = m.machine(r, f.sku)
	usage := c.Kind == ledger.LineUsage || c.Kind == ledger.LineCoveredUsage
	if usage || c.Kind == ledger.LineDiscount || c.Category == ledger.CategoryTax && c.InstanceID != "" {
		c.InstanceHours = f.sku.part != notMachine
		c.BillsGPU = f.sku.gpu
	}
	c.PriceClass = priceClass(c, f)
	if !usage || !c.InstanceHours {
		return nil, nil
	}
	var ok bool
	if c.InstanceSeconds, ok = instanceSeconds(f.sku.part, c.UsageAmount, c.UsageUnit, c.InstanceType, label); !ok &&
		(c.BillsGPU || gpuMachine(c.InstanceType)) {
		notes = append(notes, "machine time unknown: its unit, or the number of cores of its type, is unknown")
	}
	return notes, nil
}

func priceClass(c *ledger.Charge, f *facts) ledger.PriceClass {
	switch {
	case f.sku.spot || f.model == spotModel:
		return ledger.Spot
	case hasCredit(f.credits, resourceCredit) || f.sku.reserved:
		return ledger.Reserved
	case hasCredit(f.credits, spendCredit) || f.model == committed:
		return ledger.SavingsPlan
	case c.Kind == ledger.LineUsage && c.InstanceHours:
		return ledger.OnDemand
	}
	return ledger.UnknownRate
}

func (m *mapper) systemLabels(r row) ([]table.Record, *table.CellError) {
	return m.records.list(r, colSystemLabels)
}

// labelOf is the value of a label, "" if it is absent.
func labelOf(labels []table.Record, key string) string {
	for _, l := range labels {
		if l.Get("key") == key {
			return l.Get("value")
		}
	}
	return ""
}

// tagSources are the fields that become tags, in order of precedence. If two have different
// values under one key, the later one's key is prefixed.
var tagSources = []struct {
	col    column
	prefix string
}{
	{colLabels, ""}, {colTags, "tag:"}, {colProjectLabels, "project:"}, {colSystemLabels, "system:"},
}

// tags merges labels, tags, project labels and system labels. Charges share the map, so it must
// not be written to.
func (m *mapper) tags(r row, system []table.Record) (map[string]string, *table.CellError) {
	m.buf = m.buf[:0]
	for _, src := range tagSources {
		for _, pos := range r.s.at[src.col] {
			m.buf = append(append(m.buf, r.Raw(pos)...), 0)
		}
	}
	if tags, ok := m.tagSets[string(m.buf)]; ok {
		return tags, nil
	}
	var out map[string]string
	for _, src := range tagSources {
		list, bad := m.records.list(r, src.col)
		if bad != nil {
			return nil, bad
		}
		for _, label := range list {
			for _, p := range pairsOf(label) {
				if out == nil {
					out = map[string]string{}
				}
				key := p.Key
				if have, taken := out[key]; taken && have != p.Value {
					key = src.prefix + key
				}
				if _, taken := out[key]; !taken {
					out[strings.Clone(key)] = strings.Clone(p.Value)
				}
			}
		}
	}
	if m.tagSets == nil || len(m.tagSets) >= recordCacheSize {
		m.tagSets = map[string]map[string]string{}
	}
	m.tagSets[string(m.buf)] = out
	return out, nil
}

// pairsOf are the tags of an element: key and value, or, if labels were turned into one object,
// its members.
func pairsOf(r table.Record) []table.Pair {
	key := r.Get("key")
	if key == "" {
		for _, p := range r {
			if p.Key == "value" {
				return nil
			}
		}
		return r
	}
	if v := r.Get("value"); v != "" {
		return []table.Pair{{Key: key, Value: v}}
	}
	return nil
}
