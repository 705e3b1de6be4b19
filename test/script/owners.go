package script

import (
	"cmp"
	"fmt"

	"gpuledger/allocation"
	"gpuledger/allocation/owner"
	"gpuledger/allocation/part"
	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// ownerBook resolves owners, as internal/posting does, and remembers them.
type ownerBook struct {
	r          *result
	book       policy.Book
	namespaces map[[2]string]map[string]string // (cluster, namespace) → labels
}

func (b *ownerBook) keep(what string, l owner.Labels) ledger.Owner {
	o, conflicts := owner.Resolve(l)
	for _, c := range conflicts {
		detail := fmt.Sprintf("%s: %s says %q for %s, %q taken", what, c.Layer, c.Values, c.Dimension, c.Values[0])
		if c.Refused {
			detail = fmt.Sprintf("%s: %s says %q for %s, which its namespace may not claim", what, c.Layer, c.Values[0], c.Dimension)
		}
		b.r.report(allocation.Diagnostic{Code: "owner_conflict", Detail: detail})
	}
	b.r.owners[o.ID] = o
	return o
}

func (b *ownerBook) pod(p *ledger.WorkloadFact, root map[string]string, n *ledger.Node) ledger.Owner {
	l := owner.Labels{Pod: p.Labels, Root: root, Namespace: b.namespaces[[2]string{p.Cluster, p.Namespace}]}
	place := policy.Place{Cluster: p.Cluster, Namespace: p.Namespace, Workload: p.Name, Node: p.Node}
	if n != nil {
		l.Node, l.Tags = n.Labels, n.Tags
		place.InstanceType, place.Account = n.InstanceType, n.Account
	}
	v := b.book.At(p.Scheduled)
	l.Rule, l.May = v.Owner(place), v.MayClaim(p.Namespace)
	return b.keep("pod "+p.Namespace+"/"+p.Name, l)
}

func (b *ownerBook) node(n *ledger.Node) ledger.ID {
	return b.keep("node "+n.Name, owner.Labels{Node: n.Labels, Tags: n.Tags, Rule: b.book.At(n.Life.From).Owner(placeOf(n))}).ID
}

func placeOf(n *ledger.Node) policy.Place {
	return policy.Place{Cluster: n.Cluster, Node: n.Name, InstanceType: n.InstanceType, Account: n.Account}
}

func (b *ownerBook) share(n *ledger.Node, tags map[string]string) ledger.ID {
	return b.shareOf(n, tags, part.Origin{Version: -1})
}

// shareOf is the owner of a share that no usage row receives, under a version.
func (b *ownerBook) shareOf(n *ledger.Node, tags map[string]string, from part.Origin) ledger.ID {
	l := owner.Labels{Tags: tags}
	place := policy.Place{Account: from.Account}
	if n != nil {
		l.Node, place = n.Labels, placeOf(n)
		place.Account = cmp.Or(from.Account, n.Account)
	}
	if versions := b.book.Versions(); from.Version >= 0 && from.Version < len(versions) {
		l.Rule = versions[from.Version].Owner(place)
	}
	return b.keep("billing tags", l).ID
}

// use makes a cutter ask for owners with what they depend on.
func (b *ownerBook) use(c *part.Cutter) {
	c.Use(part.Rules{Owner: b.shareOf, Origin: func(ch *ledger.Charge) part.Origin {
		return part.Origin{Account: ch.Account, Version: b.version(ch.Period.From)}
	}})
}

func (b *ownerBook) version(at period.Second) int {
	found := -1
	for i, v := range b.book.Versions() {
		if v.ValidFrom <= at {
			found = i
		}
	}
	return found
}
