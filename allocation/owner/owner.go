package owner

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
)

// Unowned is the team of everything without an owner.
const Unowned = "unowned"

// Labels are the layers of labels, in order of precedence. Nil layers have no values.
type Labels struct {
	Pod, Root, Namespace, Node, Tags map[string]string
	// Rule is the result of the policy's owner rules, by dimension: the last layer.
	Rule map[string]string
	// Mapped is the value that the policy maps a value to (rule 9.5); nil: values stay as they are.
	Mapped func(dimension, value string) string
	// May reports whether pod and root owner may claim a value of a dimension
	// (rule 9.3); nil: any.
	May func(dimension, value string) bool
}

// Conflict is one accepted key that a layer has twice with different values, or a value that it may not claim.
type Conflict struct {
	Dimension string
	Layer     string
	Values    []string // the one used comes first
	Refused   bool     // all refused: the namespace does not allow it
}

// dimension is one owner dimension; ledger.OwnerKeys are the keys that name it.
type dimension struct {
	name string
	of   func(*ledger.Owner) *string
}

var dimensions = []dimension{
	{"business_unit", func(o *ledger.Owner) *string { return &o.BusinessUnit }},
	{"team", func(o *ledger.Owner) *string { return &o.Team }},
	{"project", func(o *ledger.Owner) *string { return &o.Project }},
	{"model", func(o *ledger.Owner) *string { return &o.Model }},
	{"model_version", func(o *ledger.Owner) *string { return &o.ModelVersion }},
	{"stage", func(o *ledger.Owner) *string { return &o.Stage }},
	{"environment", func(o *ledger.Owner) *string { return &o.Environment }},
	{"cost_center", func(o *ledger.Owner) *string { return &o.CostCenter }},
	{"experiment", func(o *ledger.Owner) *string { return &o.Experiment }},
	{"dataset", func(o *ledger.Owner) *string { return &o.Dataset }},
	{"user", func(o *ledger.Owner) *string { return &o.User }},
	{"priority", func(o *ledger.Owner) *string { return &o.Priority }},
	{"queue", func(o *ledger.Owner) *string { return &o.Queue }},
}

// Layers whose values are claims by the people who run the workload.
const (
	podLayer  = "pod"
	rootLayer = "root owner"
)

// Resolve searches the layers for each dimension. The owner's Labels hold the values found, by dimension name, so that
// equal owners are equal rows.
func Resolve(l Labels) (ledger.Owner, []Conflict) {
	var o ledger.Owner
	var conflicts []Conflict
	var refused uint32 // dimensions with a refused claim
	for _, layer := range []struct {
		name   string
		labels map[string]string
	}{{podLayer, l.Pod}, {rootLayer, l.Root}, {"namespace", l.Namespace}, {"node", l.Node}, {"billing tag", l.Tags}} {
		if len(layer.labels) == 0 {
			continue
		}
		folded := fold(layer.labels)
		claim := layer.name == podLayer || layer.name == rootLayer
		for i, d := range dimensions {
			field := d.of(&o)
			if *field != "" || claim && refused>>i&1 == 1 {
				continue
			}
			values := l.spelled(d.name, d.answer(folded))
			if len(values) == 0 {
				continue
			}
			if claim && l.May != nil && !l.May(d.name, values[0]) {
				refused |= 1 << i
				conflicts = append(conflicts, Conflict{d.name, layer.name, values, true})
				continue
			}
			*field = values[0]
			if len(values) > 1 {
				conflicts = append(conflicts, Conflict{d.name, layer.name, values, false})
			}
		}
	}
	for _, d := range dimensions {
		if field := d.of(&o); *field == "" {
			*field = ledger.Spell(d.name, l.Rule[d.name])
		}
	}
	o.Team = cmp.Or(o.Team, Unowned)
	finish(&o)
	return o, conflicts
}

// spelled are values in their one spelling (rules 9.4 and 9.5), without duplicates.
func (l *Labels) spelled(dimension string, said []string) []string {
	if len(said) == 0 {
		return nil
	}
	values := make([]string, 0, len(said))
	for _, v := range said {
		if v = ledger.Spell(dimension, v); l.Mapped != nil {
			v = l.Mapped(dimension, v)
		}
		if !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return values
}

// finish sets the label set and the id, both functions of the dimensions.
func finish(o *ledger.Owner) {
	o.Labels = map[string]string{}
	parts := make([]string, len(dimensions))
	for i, d := range dimensions {
		parts[i] = *d.of(o)
		if parts[i] != "" {
			o.Labels[d.name] = parts[i]
		}
	}
	o.ID = ledger.NewID("owner", parts...)
}

// fold groups the values of labels by folded key, each list in byte order of the original keys. Empty values count as
// absent. Labels that kube-state-metrics renamed because two labels sanitise alike count as the same key.
func fold(labels map[string]string) map[string][]string {
	out := make(map[string][]string, len(labels))
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		value := strings.TrimSpace(labels[key])
		if value == "" {
			continue
		}
		folded := ledger.FoldOwnerKey(key)
		if !slices.Contains(out[folded], value) {
			out[folded] = append(out[folded], value)
		}
	}
	return out
}

// answer returns the values of the first key that has any.
func (d dimension) answer(folded map[string][]string) []string {
	for _, key := range ledger.OwnerKeys[d.name] {
		if values := folded[key]; len(values) > 0 {
			return values
		}
	}
	return nil
}
