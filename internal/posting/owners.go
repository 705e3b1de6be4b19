package posting

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"

	"gpuledger/allocation"
	"gpuledger/allocation/owner"
	"gpuledger/allocation/part"
	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// ownerBook resolves owners, without duplicates.
type ownerBook struct {
	namespaces map[[2]string]map[string]string // (cluster, namespace) → labels
	owners     map[ledger.ID]ledger.Owner
	fresh      []ledger.Owner // new since the last take
	policies   policy.Book
	rules      bool // some version has owner rules
	limits     bool // some version limits what namespaces may claim
	findings   findings
}

func newOwnerBook(objects []ledger.ObjectFact, policies policy.Book, f findings) *ownerBook {
	b := &ownerBook{namespaces: map[[2]string]map[string]string{}, owners: map[ledger.ID]ledger.Owner{},
		policies: policies, rules: policies.OwnerRules() != "", limits: policies.ClaimsLimited(), findings: f}
	newest := map[[2]string]int64{}
	for _, o := range objects {
		key := [2]string{o.Cluster, o.Name}
		if o.Kind != "Namespace" || len(o.Labels) == 0 {
			continue
		}
		// The newest labels count. The order of objects from the store is fixed.
		if _, known := b.namespaces[key]; !known || o.AttrsAt > newest[key] {
			b.namespaces[key], newest[key] = o.Labels, o.AttrsAt
		}
	}
	return b
}

func (b *ownerBook) resolve(what string, l owner.Labels) ledger.Owner {
	o, conflicts := owner.Resolve(l)
	for _, c := range conflicts {
		detail := fmt.Sprintf("%s: %s says %q for %s, %q taken", what, c.Layer, c.Values, c.Dimension, c.Values[0])
		if c.Refused {
			detail = fmt.Sprintf("%s: %s says %q for %s, which its namespace may not claim; the namespace's labels apply", what,
				c.Layer, c.Values[0], c.Dimension)
		}
		b.findings.add(allocation.Diagnostic{Code: "owner_conflict", Detail: detail})
	}
	if _, known := b.owners[o.ID]; !known {
		b.owners[o.ID] = o
		b.fresh = append(b.fresh, o)
	}
	return o
}

// rule is the answer of the version in force at an instant for a place (rules 9.1 and 11.3).
func (b *ownerBook) rule(p policy.Place, at period.Second) map[string]string {
	if !b.rules {
		return nil
	}
	return b.policies.At(at).Owner(p)
}

func (b *ownerBook) pod(p *ledger.WorkloadFact, root map[string]string, node *ledger.Node) ledger.Owner {
	l := owner.Labels{Pod: p.Labels, Root: root, Namespace: b.namespaces[[2]string{p.Cluster, p.Namespace}]}
	place := policy.Place{Cluster: p.Cluster, Namespace: p.Namespace, Workload: p.Name, Node: p.Node}
	if node != nil {
		l.Node, l.Tags = node.Labels, node.Tags
		place.Node, place.InstanceType, place.Account = node.Name, node.InstanceType, node.Account
	}
	begins := cmp.Or(p.Scheduled, p.Started, p.FirstSeen, p.Created) // the start of its hold
	l.Rule = b.rule(place, begins)
	if b.rules {
		l.Mapped = b.policies.At(begins).Mapped
	}
	if b.limits {
		l.May = b.policies.At(begins).MayClaim(p.Namespace)
	}
	return b.resolve("pod "+p.Namespace+"/"+p.Name, l)
}

// node resolves the owner of the free time of a machine that was seen, or billed, from an instant on.
func (b *ownerBook) node(n *ledger.Node, from period.Second) ledger.Owner {
	l := owner.Labels{Node: n.Labels, Tags: n.Tags, Rule: b.rule(placeOf(n), from)}
	if b.rules {
		l.Mapped = b.policies.At(from).Mapped
	}
	return b.resolve("node "+n.Name, l)
}

func placeOf(n *ledger.Node) policy.Place {
	return policy.Place{Cluster: n.Cluster, Node: n.Name, InstanceType: n.InstanceType, Account: n.Account}
}

// share resolves the owner of a share of a charge that no usage receives.
func (b *ownerBook) share(n *ledger.Node, tags map[string]string) ledger.ID {
	return b.shareOf(n, tags, part.Origin{Version: noVersion})
}

const noVersion = -1

// shareOf is share under the owner rules of a version.
func (b *ownerBook) shareOf(n *ledger.Node, tags map[string]string, from part.Origin) ledger.ID {
	l := owner.Labels{Tags: tags}
	place := policy.Place{Account: from.Account}
	if n != nil {
		l.Node, place = n.Labels, placeOf(n)
		place.Account = cmp.Or(from.Account, n.Account)
	}
	if versions := b.policies.Versions(); from.Version >= 0 && from.Version < len(versions) {
		l.Rule, l.Mapped = versions[from.Version].Owner(place), versions[from.Version].Mapped
	}
	return b.resolve("billing tags", l).ID
}

// use makes a cutter resolve owners with this book.
func (b *ownerBook) use(c *part.Cutter) {
	if !b.rules {
		return
	}
	versions := b.policies.Versions()
	c.Use(part.Rules{Owner: b.shareOf, Origin: func(ch *ledger.Charge) part.Origin {
		version := noVersion
		for i := range versions {
			if versions[i].ValidFrom <= ch.Period.From {
				version = i
			}
		}
		return part.Origin{Account: ch.Account, Version: version}
	}})
}

// all lists every owner so far, by id.
func (b *ownerBook) all() []ledger.Owner {
	b.fresh = nil
	return slices.SortedFunc(maps.Values(b.owners), func(x, y ledger.Owner) int { return bytes.Compare(x.ID[:], y.ID[:]) })
}

// take lists the owners added since the last all or take.
func (b *ownerBook) take() []ledger.Owner {
	out := b.fresh
	b.fresh = nil
	slices.SortFunc(out, func(x, y ledger.Owner) int { return bytes.Compare(x.ID[:], y.ID[:]) })
	return out
}
