package policy

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"gpuledger/internal/period"
)

// Mapping is a set of owner rules, allowed values and mapped values with its own name and day, outside the versions of
// the policy (rule 11.6). The rules of a version come first, then those of mappings by name.
type Mapping struct {
	Name string
	// ValidFrom is the start of the UTC day from which it applies; 0: always. It applies until the next mapping of the
	// same name.
	ValidFrom period.Second
	Note      string

	Owners  []OwnerRule
	Allowed []AllowedValues
	Values  []ValueMapping
}

// mappingDocument is the form in which people write a mapping.
type mappingDocument struct {
	Kind      string          `yaml:"kind"`
	Name      string          `yaml:"name"`
	ValidFrom string          `yaml:"valid_from"`
	Note      string          `yaml:"note"`
	Owners    []ownerRule     `yaml:"owners"`
	Allowed   []allowedValues `yaml:"allowed"`
	Values    []valueMapping  `yaml:"values"`
}

// IsMapping reports whether a document says that it is a mapping, and not a version of the policy.
func IsMapping(text []byte) bool {
	var doc struct {
		Kind string `yaml:"kind"`
	}
	return yaml.Unmarshal(text, &doc) == nil && doc.Kind == "mapping"
}

// CheckMapping reads a mapping and lists every fault with its line.
func CheckMapping(text []byte) (Mapping, []Fault) {
	var doc mappingDocument
	root, found := decode(text, &doc)
	if root == nil {
		return Mapping{}, found
	}
	var faults faults
	m := Mapping{Name: doc.Name, Note: doc.Note}
	if doc.Kind != "" && doc.Kind != "mapping" {
		faults.add(fmt.Errorf("kind is %q: write mapping", doc.Kind), "kind")
	}
	if !versionName.MatchString(doc.Name) {
		faults.add(fmt.Errorf("name is %q: write a name of at most 64 letters, digits, dots and hyphens", doc.Name), "name")
	}
	m.ValidFrom = faults.day(doc.ValidFrom)
	m.Owners = faults.owners(doc.Owners)
	m.Allowed = faults.allowed(doc.Allowed)
	m.Values = faults.values(doc.Values)
	return m, append(found, faults.in(root)...)
}

// ParseMapping is CheckMapping for stored documents: the first fault is an error.
func ParseMapping(text []byte) (Mapping, error) {
	m, faults := CheckMapping(text)
	if len(faults) > 0 {
		return m, fmt.Errorf("mapping %q: line %d: %s", m.Name, faults[0].Line, faults[0].Text)
	}
	return m, nil
}

// Dimensions lists the owner dimensions whose values the mapping may change.
func (m Mapping) Dimensions() []string {
	said := map[string]bool{}
	for _, r := range m.Owners {
		for dimension := range r.Set {
			said[dimension] = true
		}
	}
	for _, a := range m.Allowed {
		said[a.Dimension] = true
	}
	for _, v := range m.Values {
		said[v.Dimension] = true
	}
	return slices.Sorted(maps.Keys(said))
}

// MappingDifferences lists how a mapping differs from the one before it. An empty document has no rules.
func MappingDifferences(before, after []byte) ([]Difference, error) {
	var was, is map[string]any
	if err := yaml.Unmarshal(before, &was); err != nil {
		return nil, err
	}
	if err := yaml.Unmarshal(after, &is); err != nil {
		return nil, err
	}
	var out []Difference
	for _, name := range []string{"owners", "allowed", "values", "note"} {
		out = append(out, listDifference(name, was[name], is[name])...)
	}
	return out, nil
}

// WithMappings returns the book with mappings. Of two with the same name and day the later in the list counts.
func (b Book) WithMappings(list ...Mapping) Book {
	b.mappings = slices.Clone(list)
	slices.SortStableFunc(b.mappings, func(x, y Mapping) int {
		return cmp.Or(cmp.Compare(x.Name, y.Name), cmp.Compare(x.ValidFrom, y.ValidFrom))
	})
	b.joined = nil
	if len(list) > 0 {
		b.joined = b.join()
	}
	return b
}

// Mappings lists the mappings by name and day.
func (b Book) Mappings() []Mapping { return b.mappings }

// join makes a version of each stretch in which the same document and the same mappings apply.
func (b Book) join() []Version {
	days := map[period.Second]bool{}
	for i := range b.versions {
		days[b.versions[i].ValidFrom] = true
	}
	for i := range b.mappings {
		days[b.mappings[i].ValidFrom] = true
	}
	var out []Version
	for _, day := range slices.Sorted(maps.Keys(days)) {
		v := b.documentAt(day)
		v.ValidFrom = day
		v.Owners, v.Allowed, v.Values = slices.Clone(v.Owners), slices.Clone(v.Allowed), slices.Clone(v.Values)
		for _, m := range b.mappingsAt(day) {
			v.Owners = append(v.Owners, m.Owners...)
			v.Allowed = append(v.Allowed, m.Allowed...)
			v.Values = append(v.Values, m.Values...)
		}
		out = append(out, v)
	}
	return out
}

// mappingsAt are the mappings that apply at an instant, by name: of each name the one with the latest day.
func (b Book) mappingsAt(at period.Second) []Mapping {
	var out []Mapping
	for _, m := range b.mappings {
		switch {
		case m.ValidFrom > at:
		case len(out) > 0 && out[len(out)-1].Name == m.Name:
			out[len(out)-1] = m
		default:
			out = append(out, m)
		}
	}
	return out
}

// Clash is a value that a mapping maps although something before it does, or that it maps to while something else maps
// that on.
type Clash struct {
	Side
	Other Side // what the mapping contradicts
}

// Side is a mapping, or a version of the policy, and what to do about a contradiction there.
type Side struct {
	Mapping   string // empty: a version of the policy
	Version   string
	ValidFrom period.Second // of a mapping
	Rule      int           // index of the rule among the mapped values
	What      string
}

func (s Side) String() string {
	if s.Mapping == "" {
		return "policy " + s.Version
	}
	return "mapping " + s.Mapping
}

// says is the side with what to do there.
func (s Side) says(format string, args ...any) Side {
	s.What = fmt.Sprintf(format, args...)
	return s
}

// Clashes lists the contradictions between mapped values of mappings, and of mappings and the policy. The book applies
// the first of two; people who write either should know.
func (b Book) Clashes() []Clash {
	var out []Clash
	for _, stretch := range b.joined {
		m := mapped{from: map[mappedValue]Side{}, to: map[mappedValue]Side{}}
		document := b.documentAt(stretch.ValidFrom)
		m.add(Side{Version: document.Settings.Version}, document.Values)
		for _, next := range b.mappingsAt(stretch.ValidFrom) {
			for _, c := range m.add(Side{Mapping: next.Name, ValidFrom: next.ValidFrom}, next.Values) {
				if !slices.Contains(out, c) {
					out = append(out, c)
				}
			}
		}
	}
	return out
}

type mappedValue struct{ dimension, word string }

// mapped are the values that are mapped, and those that something is mapped to, each with who says so.
type mapped struct{ from, to map[mappedValue]Side }

// add adds the values of a side, and returns how they contradict those before.
func (m *mapped) add(side Side, list []ValueMapping) (clashes []Clash) {
	const (
		twice = "%s %s is mapped by %s, too: leave it out of one of them"
		onto  = "%s %s is what %s maps to, and values are mapped only once: map to %s there"
		on    = "%s %s is mapped on by %s, and values are mapped only once: map to the last one"
	)
	for i, v := range list {
		side.Rule = i
		for _, word := range v.From {
			k := mappedValue{v.Dimension, word}
			if other, clash := m.from[k]; clash {
				clashes = append(clashes, Clash{side.says(twice, v.Dimension, word, other),
					other.says(twice, v.Dimension, word, side)})
			}
			if other, clash := m.to[k]; clash {
				clashes = append(clashes, Clash{side.says(onto, v.Dimension, word, other, v.To),
					other.says(on, v.Dimension, word, side)})
			}
		}
		if other, clash := m.from[mappedValue{v.Dimension, v.To}]; clash {
			clashes = append(clashes, Clash{side.says(on, v.Dimension, v.To, other),
				other.says("%s %s is what %s maps to, and values are mapped only once: leave it out here, or map to another "+
					"value there", v.Dimension, v.To, side)})
		}
	}
	for i, v := range list {
		side.Rule = i
		for _, word := range v.From {
			m.from[mappedValue{v.Dimension, word}] = side
		}
		m.to[mappedValue{v.Dimension, v.To}] = side
	}
	return clashes
}
