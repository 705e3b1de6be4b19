package focus

import (
	"cmp"
	"slices"

	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
)

// tagged are the tags of a row: AllocatedTags, which say whom a provider gives the
// cost to, and of Tags those that do not speak of the same owner dimension or key.
func (b *binding) tagged(r table.Row) ([]table.Pair, *table.CellError) {
	tags, bad := b.pairs(r, colTags)
	if bad != nil {
		return nil, bad
	}
	allocated, bad := b.pairs(r, colAllocatedTags)
	if bad != nil {
		return nil, bad
	}
	said := map[string]bool{} // keys of tags that have been answered
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
