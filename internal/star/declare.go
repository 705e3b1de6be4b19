package star

import (
	"slices"

	"gpuledger/metrics"
)

// texts are keys whose meaning package metrics or the fact's own doc defines.
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

// always returns copies of the keys that are marked as never null. Facts share lists of keys, so list must not change.
func always(list []Key) []Key {
	list = slices.Clone(list)
	for i := range list {
		list[i].Always = true
	}
	return list
}

// Machine are the keys of a machine's kind, found through node_id.
var Machine = []Key{
	{Name: "gpu_model", Type: Text, Doc: "GPU model of the machine.", Machine: "gpu_model"},
	{Name: "cluster", Type: Text, Doc: "Cluster of the machine.", Machine: "cluster"},
	{Name: "instance_type", Type: Text, Doc: "Instance type of the machine.", Machine: "instance_type"},
	{Name: "region", Type: Text, Doc: "Region of the machine.", Machine: "region"},
	{Name: "zone", Type: Text, Doc: "Zone of the machine.", Machine: "zone"},
	{Name: "pricing", Type: Text, Doc: "Price class of the machine.", Machine: "price_class"},
	{Name: "account", Type: Text, Doc: "Account of the machine.", Machine: "account"},
}

// Names lists the names of keys.
func Names(keys []Key) (names []string) {
	for _, k := range keys {
		names = append(names, k.Name)
	}
	return names
}

// MeasureNames lists the names of a fact's measures.
func MeasureNames(f *Fact) (names []string) {
	for _, m := range f.Measures {
		names = append(names, m.Name)
	}
	return names
}

// doc is the key's own meaning, else that of the group key of the same name in package metrics.
func (k Key) doc() string {
	if k.Doc != "" {
		return k.Doc
	}
	known, _ := metrics.LookupKey(k.Name)
	return known.Doc
}

// Keys and measures that several facts share.
var (
	owner    = own("owner_id", ID, "Owner. Table owners has its team, project and other dimensions.")
	currency = own("currency", Text, "ISO 4217 code of the costs. Null: a quantity without a cost.")
)

// money are costs in the row's currency, null if unknown.
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

// hours are the first and the last hour in a row.
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

// ofOwners are the keys that lead to owners, the finest first. A team leads to all its owners.
var ofOwners = []string{"owner_id", "team"}
