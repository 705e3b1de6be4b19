package owner

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
)

// Value is a value of a dimension that owners have, with the number of their workloads.
type Value struct {
	Dimension, Text string
	Workloads       int64
}

// LookAlike are values of one dimension that differ only in case and separators. Only the policy can state that they
// mean the same (rule 9.5).
type LookAlike struct {
	Dimension string
	Values    []string // the one with the most workloads first
}

// Mapping is the line for a policy's values that would merge them.
func (l LookAlike) Mapping() string {
	return fmt.Sprintf("{key: %s, from: [%s], to: %q}", l.Dimension, strings.Join(quoted(l.Values[1:]), ", "), l.Values[0])
}

func quoted(list []string) []string {
	out := make([]string, len(list))
	for i, text := range list {
		out[i] = fmt.Sprintf("%q", text)
	}
	return out
}

// LookAlikes finds look-alikes, by dimension and first value.
func LookAlikes(values []Value) []LookAlike {
	type group struct{ dimension, word string }
	groups := map[group][]Value{}
	for _, v := range values {
		if ledger.Spell(v.Dimension, v.Text) != v.Text {
			continue // of an older owner: it has one spelling now
		}
		if word := ledger.Alike(v.Text); word != "" {
			k := group{v.Dimension, word}
			groups[k] = append(groups[k], v)
		}
	}
	var out []LookAlike
	for k, list := range groups {
		if len(list) < 2 {
			continue
		}
		slices.SortFunc(list, func(a, b Value) int {
			return cmp.Or(cmp.Compare(b.Workloads, a.Workloads), strings.Compare(a.Text, b.Text))
		})
		l := LookAlike{Dimension: k.dimension}
		for _, v := range list {
			l.Values = append(l.Values, v.Text)
		}
		out = append(out, l)
	}
	slices.SortFunc(out, func(a, b LookAlike) int {
		return cmp.Or(strings.Compare(a.Dimension, b.Dimension), strings.Compare(a.Values[0], b.Values[0]))
	})
	return out
}
