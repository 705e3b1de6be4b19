package part

import (
	"reflect"

	"gpuledger/internal/ledger"
)

// OwnerFunc resolves the owner of a share that goes to no usage row. node is nil if the share has none. Observe calls
// it for every owner that Cut will need, so that they can be stored before the first part. It must always give the same
// owner for the same tags.
type OwnerFunc func(node *ledger.Node, tags map[string]string) ledger.ID

// Origin is the data apart from tags that an owner may depend on: policy rules can match the account, in the version in
// force at the time.
type Origin struct {
	Account string
	Version int
}

// Rules is an OwnerFunc that depends on the origin of the charge, too.
type Rules struct {
	Origin func(ch *ledger.Charge) Origin
	Owner  func(node *ledger.Node, tags map[string]string, from Origin) ledger.ID
}

// Use makes the cutter use rules instead of its OwnerFunc. It must come before Observe.
func (c *Cutter) Use(r Rules) { c.rules = &r }

// ownerKey is the address of a set of tags, with the origin.
type ownerKey struct {
	tags uintptr
	from Origin
}

// taggedOwner keeps the tags alive, so that their address is not reused.
type taggedOwner struct {
	tags map[string]string
	id   ledger.ID
}

func (c *Cutter) own(parts []ledger.Part, node *ledger.Node, ch *ledger.Charge) {
	id := c.ownerOf(node, ch)
	for i := range parts {
		parts[i].OwnerID = id
	}
}

// ownerOf resolves an owner; for tags and origin alone, which many lines share, only once.
func (c *Cutter) ownerOf(node *ledger.Node, ch *ledger.Charge) ledger.ID {
	key := ownerKey{tags: reflect.ValueOf(ch.Tags).Pointer()}
	if c.rules != nil {
		key.from = c.rules.Origin(ch)
	}
	if node != nil {
		return c.ask(node, ch.Tags, key.from)
	}
	o, known := c.owners[key]
	if !known {
		o = taggedOwner{ch.Tags, c.ask(nil, ch.Tags, key.from)}
		c.owners[key] = o
	}
	return o.id
}

func (c *Cutter) ask(node *ledger.Node, tags map[string]string, from Origin) ledger.ID {
	if c.rules != nil {
		return c.rules.Owner(node, tags, from)
	}
	return c.owner(node, tags)
}
