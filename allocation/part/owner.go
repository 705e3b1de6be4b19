package part

import (
	"reflect"

	"gpuledger/internal/ledger"
)

// OwnerFunc resolves the owner of a share that no usage row receives. node is
// nil when the share has none. Observe asks for every owner that Cut will ask
// for, so that they can be stored before the first part. Of the same tags it
// must always give the same owner.
type OwnerFunc func(node *ledger.Node, tags map[string]string) ledger.ID

// Origin is what an owner may depend on beside tags: rules of the policy look
// at the account, in the version that holds then.
type Origin struct {
	Account string
	Version int
}

// Rules is an OwnerFunc that depends on the origin of the charge, too.
type Rules struct {
	Origin func(ch *ledger.Charge) Origin
	Owner  func(node *ledger.Node, tags map[string]string, from Origin) ledger.ID
}

// Use makes the cutter ask rules instead of its OwnerFunc. It must come before
// Observe.
func (c *Cutter) Use(r Rules) { c.rules = &r }

// ownerKey is a set of tags, by its address, with the origin.
type ownerKey struct {
	tags uintptr
	from Origin
}

// taggedOwner keeps the tags alive, so that their address stays theirs.
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

// ownerOf asks for an owner; of tags and origin alone once, which many lines
// share.
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
