package catalog

import (
	"crypto/sha256"
	"encoding/csv"
	"slices"
	"strings"
	"sync"
)

// PriceList is a list of public prices: the embedded table, and imported prices. It does not change.
type PriceList struct {
	*tables
	typical func() []typicalPrice
}

// Embedded is the embedded list; an empty one if Load fails.
var Embedded = sync.OnceValue(func() *PriceList {
	t, err := load()
	if err != nil {
		t = &tables{}
	}
	return listOf(t)
})

func listOf(t *tables) *PriceList {
	l := &PriceList{tables: t}
	l.typical = sync.OnceValue(l.lowest)
	return l
}

// Sells reports whether the catalogue has a machine type of that name at a provider.
func (l *PriceList) Sells(provider, name string) bool {
	return l.sells(strings.ToLower(provider), name)
}

// With is the list with further prices: of two of one day the further one counts, of further ones the last. Prices of
// unknown machine types are left out.
func (l *PriceList) With(further []Price) *PriceList {
	if len(further) == 0 {
		return l
	}
	all := slices.Clone(l.prices)
	for _, p := range further {
		p.Provider, p.Region = strings.ToLower(p.Provider), strings.ToLower(p.Region)
		for _, i := range l.byName[fold(p.InstanceType)] {
			if t := l.types[i]; t.Provider == p.Provider {
				p.InstanceType = t.Name
				all = append(all, p)
			}
		}
	}
	slices.SortStableFunc(all, comparePrices)
	t := &tables{types: l.types, byName: l.byName, providers: l.providers, byKey: map[priceKey][]int{}}
	for i, p := range all {
		if i+1 == len(all) || comparePrices(p, all[i+1]) != 0 {
			t.index(p)
		}
	}
	return listOf(t)
}

// All lists the prices, by provider, name, region, class and date.
func (l *PriceList) All() []Price { return slices.Clone(l.prices) }

// Digest distinguishes lists that price a machine differently.
func (l *PriceList) Digest() [32]byte {
	h := sha256.New()
	h.Write(typesCSV) // a hash never fails
	w := csv.NewWriter(h)
	for _, p := range l.prices {
		_ = w.Write(p.row()) // nor does it fail here
	}
	w.Flush()
	return [32]byte(h.Sum(nil))
}
