package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"gpuledger/internal/ledger"
)

// Place is the data that owner rules match; an unknown field is empty, and only the empty pattern and "*" match it.
type Place struct {
	Cluster, Namespace, Workload, Node, InstanceType, Account string
}

func (r OwnerRule) matches(p Place) bool {
	return matches(r.Cluster, p.Cluster) && matches(r.Namespace, p.Namespace) && matches(r.Workload, p.Workload) &&
		matches(r.Node, p.Node) && matches(r.InstanceType, p.InstanceType) && matches(r.Account, p.Account)
}

// Owner returns the values that the version's rules give a place, by dimension: from the first rule that matches and
// sets it (rule 9.1). nil: no values.
func (v Version) Owner(p Place) map[string]string {
	var out map[string]string
	for _, r := range v.Owners {
		if !r.matches(p) {
			continue
		}
		for dimension, value := range r.Set {
			if _, said := out[dimension]; said {
				continue
			}
			if out == nil {
				out = make(map[string]string)
			}
			out[dimension] = value
		}
	}
	return out
}

// MayClaim returns whether pods of a namespace may claim a value of a dimension (rule 9.3); nil if the version does not
// limit that namespace.
func (v Version) MayClaim(namespace string) func(dimension, value string) bool {
	allowed := map[string][]string{}
	for _, a := range v.Allowed {
		if matches(a.Namespace, namespace) {
			values := allowed[a.Dimension]
			for _, value := range a.Values {
				values = append(values, v.Mapped(a.Dimension, ledger.Spell(a.Dimension, value)))
			}
			allowed[a.Dimension] = values // an empty list: no value may be claimed
		}
	}
	if len(allowed) == 0 {
		return nil
	}
	return func(dimension, value string) bool {
		values, said := allowed[dimension]
		return !said || slices.Contains(values, value)
	}
}

// Mapped is the value that a value of a dimension maps to (rule 9.5): itself if no mapping names it.
func (v Version) Mapped(dimension, value string) string {
	for _, m := range v.Values {
		if m.Dimension == dimension && slices.Contains(m.From, value) {
			return m.To
		}
	}
	return value
}

// OwnerRules is a digest of the owner rules and mappings of all versions; empty if there are none.
func (b Book) OwnerRules() string {
	h, any := sha256.New(), false
	for _, v := range b.Versions() {
		h.Write(fmt.Appendf(nil, "from %d\n", v.ValidFrom))
		for _, r := range v.Owners {
			any = true
			h.Write(fmt.Appendf(nil, "%q %q %q %q %q %q\n", r.Cluster, r.Namespace, r.Workload, r.Node, r.InstanceType,
				r.Account))
			for _, dimension := range slices.Sorted(maps.Keys(r.Set)) {
				h.Write(fmt.Appendf(nil, " %q=%q\n", dimension, r.Set[dimension]))
			}
		}
		for _, m := range v.Values {
			any = true
			h.Write(fmt.Appendf(nil, "value %q %q=%q\n", m.Dimension, m.From, m.To))
		}
	}
	if !any {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// ClaimsLimited reports whether any version limits the claims of namespaces.
func (b Book) ClaimsLimited() bool {
	return slices.ContainsFunc(b.Versions(), func(v Version) bool { return len(v.Allowed) > 0 })
}
