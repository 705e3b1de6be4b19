package bills

import (
	"hash/maphash"
	"maps"
	"reflect"
	"strings"
	"unsafe"

	"github.com/zeebo/xxh3"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Approximate memory limits of the dictionaries of an import, in bytes. A dictionary that exceeds its limit is cleared.
// The same words then get new numbers, which only costs space in the database.
const (
	maxScopeBytes    = 4 << 20
	maxItemBytes     = 24 << 20
	maxResourceBytes = 40 << 20
	maxTagBytes      = 24 << 20
)

// scopeKey is the owner of a line and the place where it was read.
type scopeKey struct {
	file, payer, account, month, currency string
}

// itemKey is the billed item.
type itemKey struct {
	provider, kind, category, class, serviceName, serviceCode, description, usageType, operation, lineType,
	region, zone, instanceType, priceClass, commitment, unit string
	flags uint64 // a word, so that the key has no gaps
}

const (
	flagInstanceHours = 1 << iota
	flagBillsGPU
	flagMarketplace
	flagAllocated
)

// texts are the fields of an item in the order of bill.copy_items.
func (k *itemKey) texts() []*string {
	return []*string{&k.provider, &k.kind, &k.category, &k.class, &k.serviceName, &k.serviceCode, &k.description,
		&k.usageType, &k.operation, &k.lineType,
		&k.region, &k.zone, &k.instanceType, &k.priceClass, &k.commitment, &k.unit}
}

// dictionaries number the repeated values in an import's lines. Numbers begin at 1 and are never reused.
type dictionaries struct {
	scopes    dictionary[scopeKey]
	items     dictionary[itemKey]
	resources dictionary[[2]uint64] // by a seeded hash: bills name hundreds of thousands
	tags      tagSets
	details   tagSets

	sameScope sightings[scopeKey]
	sameItem  sightings[itemKey]
	seed      uint64
}

func newDictionaries() *dictionaries {
	d := &dictionaries{seed: maphash.Bytes(maphash.MakeSeed(), nil)}
	d.tags.seed, d.details.seed = maphash.MakeSeed(), maphash.MakeSeed()
	return d
}

// dictionary numbers keys.
type dictionary[K comparable] struct {
	ids   map[K]int32
	count int32
	bytes int
}

// add gives a new key its number; size is its approximate size in bytes.
func (d *dictionary[K]) add(k K, size, most int) int32 {
	if d.ids == nil || d.bytes > most {
		d.ids, d.bytes = map[K]int32{}, 0
	}
	d.count++
	d.bytes += size
	d.ids[k] = d.count
	return d.count
}

// scope returns the number of the charge's scope. It fails if the billing period is invalid.
func (w *dictionaries) scope(c *ledger.Charge) (int32, error) {
	k := scopeKey{c.SourceFile, c.BillingAccount, c.Account, string(c.BillingPeriod), c.Currency}
	seen := w.sameScope.slot(&k)
	if seen != nil && seen.id != 0 {
		return seen.id, nil
	}
	id, ok := w.scopes.ids[k]
	if !ok {
		if _, err := period.Month(k.month).Interval(); err != nil {
			return 0, err
		}
		own := k
		size := 160
		for _, text := range []*string{&own.file, &own.payer, &own.account, &own.month, &own.currency} {
			*text = strings.Clone(*text) // a parser's text may be part of a large buffer
			size += len(*text)
		}
		id = w.scopes.add(own, size, maxScopeBytes)
	}
	if seen != nil {
		seen.id = id
	}
	return id, nil
}

// item returns the number of the charge's item.
func (w *dictionaries) item(c *ledger.Charge) int32 {
	k := itemOf(c)
	seen := w.sameItem.slot(&k)
	if seen != nil && seen.id != 0 {
		return seen.id
	}
	id, ok := w.items.ids[k]
	if !ok {
		own := k
		size := 400
		for _, text := range own.texts() {
			*text = strings.Clone(*text)
			size += len(*text)
		}
		id = w.items.add(own, size, maxItemBytes)
	}
	if seen != nil {
		seen.id = id
	}
	return id
}

func itemOf(c *ledger.Charge) itemKey {
	var flags uint64
	if c.InstanceHours {
		flags |= flagInstanceHours
	}
	if c.BillsGPU {
		flags |= flagBillsGPU
	}
	if c.Marketplace {
		flags |= flagMarketplace
	}
	if c.Allocated {
		flags |= flagAllocated
	}
	return itemKey{c.Provider, string(c.Kind), string(c.Category), c.Class, c.ServiceName, c.ServiceCode, c.Description,
		c.UsageType, c.Operation, c.LineItemType,
		c.Region, c.Zone, c.InstanceType, string(c.PriceClass), c.CommitmentID, c.UsageUnit, flags}
}

// resource returns the number of the charge's resource, 0 if it has none.
func (w *dictionaries) resource(c *ledger.Charge) int32 {
	if c.ResourceID == "" && c.InstanceID == "" {
		return 0
	}
	h := xxh3.HashString128Seed(c.ResourceID, w.seed)
	key := [2]uint64{h.Hi, h.Lo}
	if c.InstanceID != "" && c.InstanceID != c.ResourceID {
		i := xxh3.HashString128Seed(c.InstanceID, w.seed+1)
		key[0], key[1] = key[0]^i.Lo, key[1]+i.Hi
	} else if c.InstanceID != "" {
		key[1]++
	}
	if c.InstanceAlias != "" {
		a := xxh3.HashString128Seed(c.InstanceAlias, w.seed+2)
		key[0], key[1] = key[0]^a.Lo, key[1]+a.Hi
	}
	id, ok := w.resources.ids[key]
	if !ok {
		id = w.resources.add(key, 48, maxResourceBytes)
	}
	return id
}

// tagSets numbers sets of tags: by identity if parsers share maps, otherwise by content.
type tagSets struct {
	seed  maphash.Seed
	same  map[unsafe.Pointer]tagSet // by identity
	trust trust
	sets  map[uint64][]tagSet // by hash of the content
	count int32
	bytes int
}

type tagSet struct {
	tags map[string]string // referenced, so that no other map gets its address
	id   int32
}

// maxSameTags is how many maps are remembered by identity.
const maxSameTags = 1 << 15

// number returns the number of a set, 0 for an empty one.
func (t *tagSets) number(tags map[string]string) int32 {
	if len(tags) == 0 {
		return 0
	}
	if t.trust.lost {
		return t.find(tags).id
	}
	at := reflect.ValueOf(tags).UnsafePointer()
	if s, ok := t.same[at]; ok {
		t.trust.hit()
		return s.id
	}
	if t.trust.miss(); t.trust.lost || t.same == nil || len(t.same) >= maxSameTags {
		t.same = map[unsafe.Pointer]tagSet{}
	}
	s := tagSet{tags, t.find(tags).id}
	t.same[at] = s
	return s.id
}

// find looks a set up by content. Of a set that is new it keeps a copy.
func (t *tagSets) find(tags map[string]string) tagSet {
	var hash uint64
	size := 200
	for k, v := range tags { // a sum, so the order does not matter
		hash += maphash.String(t.seed, k) * (maphash.String(t.seed, v) | 1)
		size += len(k) + len(v) + int(2*unsafe.Sizeof(k))
	}
	for _, s := range t.sets[hash] {
		if maps.Equal(s.tags, tags) {
			return s
		}
	}
	if t.sets == nil || t.bytes > maxTagBytes {
		t.sets, t.bytes = map[uint64][]tagSet{}, 0
	}
	t.count++
	t.bytes += size
	s := tagSet{tags: make(map[string]string, len(tags)), id: t.count}
	for k, v := range tags {
		s.tags[strings.Clone(k)] = strings.Clone(v)
	}
	t.sets[hash] = append(t.sets[hash], s)
	return s
}

// marks records which numbers have been seen.
type marks []uint64

// add reports whether the number is new.
func (m *marks) add(n int32) bool {
	at, bit := int(n>>6), uint64(1)<<(n&63)
	for at >= len(*m) {
		*m = append(*m, 0)
	}
	if (*m)[at]&bit != 0 {
		return false
	}
	(*m)[at] |= bit
	return true
}
