package report

import (
	"fmt"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/metrics"
)

// coverageCosts is the report of costs behind owner_coverage: by owner, quality and the keys of q, so that both read
// the same rows.
func coverageCosts(q metrics.Query) metrics.Query {
	costs, _ := metrics.LookupDataset("costs")
	of := metrics.Query{
		Dataset: costs, Window: q.Window, Granularity: metrics.Total,
		Basis: ledger.EffectiveCost, Only: []string{string(ledger.EffectiveCost)},
	}
	of.GroupBy = []metrics.Key{{Name: ownerID}}
	for _, name := range []string{"quality", "state"} {
		k, _ := metrics.LookupKey(name)
		of.GroupBy = append(of.GroupBy, k)
	}
	for _, asked := range costKeys(q) {
		k, ok := metrics.LookupKey(asked.Name)
		if ok && !slices.Contains(of.GroupBy, k) {
			of.GroupBy = append(of.GroupBy, k)
		}
	}
	return of
}

// ownerSums are the sums of owner_coverage by the set of owner keys that have a value, not by owner: such sets are
// few, owners are many.
func (c Compiler) ownerSums() string {
	c = c.about(coverageCosts(c.Q))
	var group []string
	for _, k := range c.Q.GroupBy[1:] {
		group = append(group, "f."+ident(k.Name))
	}
	group = append(group, "f.currency")
	for _, name := range metrics.OwnerKeys {
		group = append(group, fmt.Sprintf("coalesce(o.%s, '') not in ('', 'unowned') as %s", ident(name), ident("has_"+name)))
	}
	places := make([]string, len(group))
	for i := range group {
		places[i] = fmt.Sprint(i + 1)
	}
	return "select " + strings.Join(group, ", ") + ", sum(f.effective_cost) as effective_cost\nfrom (\n" + c.costsBase() +
		c.Expand("\n) f\nleft join owners o on o.tenant_id = @tenant and o.owner_id = f.owner_id\nwhere f.effective_cost "+
			"is not null\ngroup by ") + strings.Join(places, ", ")
}

// ownerValuesSQL is the text of @owner_values: every owner key, and whether the owner of a row s of ownerSums has a
// value of it.
func ownerValuesSQL() string {
	var rows []string
	for _, name := range metrics.OwnerKeys {
		rows = append(rows, "('"+name+"', s."+ident("has_"+name)+")")
	}
	return strings.Join(rows, ", ")
}
