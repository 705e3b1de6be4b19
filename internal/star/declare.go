package star

import (
	"slices"

	"gpuledger/metrics"
)

// texts are keys that package metrics knows, or that a fact says the meaning of.
func texts(names ...string) []Key {
	var list []Key
	for _, name := range names {
		list = append(list, Key{Name: name, Type: Text})
	}
	return list
}

// keys joins lists of keys.
func keys(lists ...[]Key) []Key {
	var all []Key
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// own is a key that no report groups by under this name.
func own(name string, typ Type, doc string) []Key {
	return []Key{{Name: name, Type: typ, Doc: doc}}
}

// always returns the keys with a mark that no row is without them. The list given stays as it is: facts share lists.
func always(list []Key) []Key {
	list = slices.Clone(list)
	for i := range list {
		list[i].Always = true
	}
	return list
}

// Machine are the keys that node_id leads to: what tells kinds of machines apart.
var Machine = []Key{
	{Name: "gpu_model", Type: Text, Doc: "GPU model of the machine.", Machine: "gpu_model"},
	{Name: "cluster", Type: Text, Doc: "Cluster of the machine.", Machine: "cluster"},
	{Name: "instance_type", Type: Text, Doc: "Instance type of the machine.", Machine: "instance_type"},
	{Name: "region", Type: Text, Doc: "Region of the machine.", Machine: "region"},
	{Name: "zone", Type: Text, Doc: "Zone of the machine.", Machine: "zone"},
	{Name: "pricing", Type: Text, Doc: "Price class of the machine.", Machine: "price_class"},
	{Name: "account", Type: Text, Doc: "Account of the machine.", Machine: "account"},
}

// Names are those of keys.
func Names(keys []Key) (names []string) {
	for _, k := range keys {
		names = append(names, k.Name)
	}
	return names
}

// MeasureNames are those of a fact's measures.
func MeasureNames(f *Fact) (names []string) {
	for _, m := range f.Measures {
		names = append(names, m.Name)
	}
	return names
}

// doc is what the key means.
func (k Key) doc() string {
	if k.Doc != "" {
		return k.Doc
	}
	known, _ := metrics.LookupKey(k.Name)
	return known.Doc
}

// The keys and measures that several facts have.
var (
	owner    = own("owner_id", ID, "Owner. Table owners has its team, project and other dimensions.")
	currency = own("currency", Text, "ISO 4217 code of the costs. Null: a quantity without a cost.")
)

// money are costs in the row's currency, null where none is known.
func money(names ...string) []Measure {
	return sums("currency", map[string]string{
		"effective_cost": "Cost after discounts, with commitments spread over the time that they cover (FOCUS " +
			"EffectiveCost).",
		"billed_cost":     "Invoiced cost (FOCUS BilledCost).",
		"list_cost":       "Cost at list prices (FOCUS ListCost).",
		"contracted_cost": "Cost at contracted prices, before commitments (FOCUS ContractedCost).",
	}, names...)
}

// quantities are sums of GPU time.
func quantities(names ...string) []Measure {
	return sums("GPU-h", map[string]string{
		"gpu_hours":          "Held GPU time.",
		"capacity_gpu_hours": "All GPU time, held or not.",
		"active_gpu_hours":   "GPU time in which the engine worked.",
	}, names...)
}

func sums(unit string, docs map[string]string, names ...string) []Measure {
	var list []Measure
	for _, name := range names {
		list = append(list, Measure{Name: name, Type: Decimal, Merge: Sum, Unit: unit, Doc: docs[name]})
	}
	return list
}

// hours are the first and the last hour that rows are of.
func hours() []Measure {
	return []Measure{
		{Name: "first_hour", Type: Time, Merge: Least, Doc: "First hour that the row adds up.", Always: true},
		{Name: "last_hour", Type: Time, Merge: Most, Doc: "Last hour that the row adds up.", Always: true},
	}
}

func measures(lists ...[]Measure) []Measure {
	var all []Measure
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// ofOwners are the keys that lead to owners, the finest first: a team to all of its.
var ofOwners = []string{"owner_id", "team"}
