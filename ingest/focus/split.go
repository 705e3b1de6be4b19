package focus

import (
	"context"
	"errors"
	"hash/maphash"

	"gpuledger/ingest/table"
	"gpuledger/internal/blob"
)

// splitKey are the dimensions that an allocated row shares with its original charge (FOCUS 1.3,
// data generator-calculated split cost allocation: dimensions of allocated charges match the
// origin's).
var splitKey = []column{
	colAllocatedMethod, colResource, colChargeStart, colChargeEnd, colSku,
	colSkuPrice, colDescription, colCategory, colSubAccount, colBillingAccount,
	colPricingCategory, colCommitment, colCommitmentStatus, colRegion,
}

var splitSeed = maphash.MakeSeed()

// key hashes the dimensions of a row, without the method.
func (b *binding) key(r table.Row) uint64 {
	var h maphash.Hash
	h.SetSeed(splitSeed)
	for _, c := range splitKey[1:] {
		h.WriteString(b.text(r, c))
		h.WriteByte(0)
	}
	return h.Sum64()
}

// repeated reports whether a row was split from a charge in the same file.
func (b *binding) repeated(r table.Row) bool {
	return len(b.split) > 0 && b.text(r, colAllocatedMethod) != "" && b.split[b.key(r)]
}

// splitOrigins reads the file for split charges whose original charge is in it, too. It needs
// 16 bytes per split charge; a file without any is read once.
func (b *binding) splitOrigins(ctx context.Context, f blob.File) (both map[uint64]bool, err error) {
	parts := map[uint64]bool{}
	err = b.scan(ctx, f, func(r table.Row) {
		if b.text(r, colAllocatedMethod) != "" {
			parts[b.key(r)] = true
		}
	})
	if err != nil || len(parts) == 0 {
		return nil, err
	}
	both = map[uint64]bool{}
	err = b.scan(ctx, f, func(r table.Row) {
		if b.text(r, colAllocatedMethod) == "" {
			if k := b.key(r); parts[k] {
				both[k] = true
			}
		}
	})
	return both, err
}

func (b *binding) scan(ctx context.Context, f blob.File, visit func(table.Row)) (err error) {
	t, err := table.Open(f, Format.Options())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	var read []int
	for _, c := range splitKey {
		if b.has(c) {
			read = append(read, b.at[c])
		}
	}
	t.Select(read)
	return t.Each(ctx, func(r table.Row) error { visit(r); return nil })
}
