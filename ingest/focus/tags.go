package focus

import (
	"cmp"
	"slices"

	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
)

// tagged are the tags of a row: AllocatedTags, in which a provider names the cost's owner, and
// those of Tags for other owner dimensions and keys.
func (b *binding) tagged(r table.Row) ([]table.Pair, *table.CellError) {
	tags, bad := b.pairs(r, colTags)
	if bad != nil {
		return nil, bad
	}
	allocated, bad := b.pairs(r, colAllocatedTags)
	if bad != nil {
		return nil, bad
	}
	said := map[string]bool{} // keys of AllocatedTags
	for _, p := range allocated {
		if p.Value == "" {
			continue
		}
		key := ledger.FoldOwnerKey(p.Key)
		said[key] = true
		for _, keys := range ledger.OwnerKeys {
			if slices.Contains(keys, key) {
				for _, k := range keys {
					said[k] = true
				}
			}
		}
	}
	if len(said) == 0 {
		return tags, nil
	}
	out := slices.Clone(allocated)
	for _, p := range tags {
		if !said[ledger.FoldOwnerKey(p.Key)] {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b table.Pair) int { return cmp.Compare(a.Key, b.Key) })
	return out, nil
}
