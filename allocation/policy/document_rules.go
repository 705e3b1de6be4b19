package policy

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// day reads valid_from.
func (f *faults) day(text string) period.Second {
	if text == "" {
		return 0
	}
	day, err := period.ParseDay(text)
	if err != nil {
		f.add(fmt.Errorf("valid_from: %w", err), "valid_from")
	}
	return day
}

func (f *faults) owners(list []ownerRule) (out []OwnerRule) {
	for i := range list {
		r, err := list[i].rule()
		if err != nil {
			f.add(fmt.Errorf("owner rule %d: %w", i+1, err), "owners", i)
			continue
		}
		out = append(out, r)
	}
	return out
}

func (f *faults) allowed(list []allowedValues) (out []AllowedValues) {
	for i, a := range list {
		if err := patterns(a.Namespace); err != nil || !slices.Contains(ledger.Dimensions, a.Dimension) {
			f.add(fmt.Errorf("allowed %d: namespace must be a pattern and dimension one of %s", i+1,
				strings.Join(ledger.Dimensions, ", ")), "allowed", i)
		}
		out = append(out, AllowedValues(a))
	}
	return out
}

func (f *faults) overrides(list []override) (out []Override) {
	for i := range list {
		o := &list[i]
		apply, wrong := settingsOf(&o.Settings, true)
		for _, err := range wrong {
			f.add(fmt.Errorf("override %d: %w", i+1, err), "overrides", i)
		}
		m := o.Match
		if err := patterns(m.Cluster, m.Node, m.InstanceType, m.GPUModel); err != nil {
			f.add(fmt.Errorf("override %d: %w", i+1, err), "overrides", i)
		}
		out = append(out, Override{m.Cluster, m.Node, m.InstanceType, m.GPUModel, apply})
	}
	return out
}

func (r ownerRule) rule() (OwnerRule, error) {
	w := r.When
	if err := patterns(w.Cluster, w.Namespace, w.Workload, w.Node, w.InstanceType, w.Account); err != nil {
		return OwnerRule{}, err
	}
	if len(r.Set) == 0 {
		return OwnerRule{}, errors.New("set is empty: give a value for at least one dimension, such as team: research")
	}
	for _, dimension := range slices.Sorted(maps.Keys(r.Set)) {
		if !slices.Contains(ledger.Dimensions, dimension) || r.Set[dimension] == "" {
			return OwnerRule{}, fmt.Errorf("set: %q must be one of %s, and have a value", dimension,
				strings.Join(ledger.Dimensions, ", "))
		}
	}
	return OwnerRule{w.Cluster, w.Namespace, w.Workload, w.Node, w.InstanceType, w.Account, r.Set}, nil
}

// values checks that every value maps to one other, in one step.
func (f *faults) values(list []valueMapping) (out []ValueMapping) {
	to := map[[2]string]bool{}
	for _, m := range list {
		to[[2]string{m.Key, m.To}] = true
	}
	from := map[[2]string]bool{}
	for i, m := range list {
		fault := func(format string, args ...any) {
			f.add(fmt.Errorf("values %d: %s", i+1, fmt.Sprintf(format, args...)), "values", i)
		}
		if !slices.Contains(ledger.Dimensions, m.Key) {
			fault("key %q must be one of %s", m.Key, strings.Join(ledger.Dimensions, ", "))
			continue
		}
		if m.To == "" || len(m.From) == 0 {
			fault("write from (a list of values as found) and to (the value that they mean)")
			continue
		}
		if word := ledger.Spell(m.Key, m.To); word != m.To {
			fault("%s is always written as %s: use that", m.To, word)
		}
		for j, value := range m.From {
			m.From[j] = ledger.Spell(m.Key, value) // spelling rules apply before mappings
			k := [2]string{m.Key, m.From[j]}
			switch {
			case value == "" || m.From[j] == m.To:
				fault("%q maps to itself: leave it out", value)
			case from[k]:
				fault("%q of %s is given twice", value, m.Key)
			case to[k]:
				fault("%q of %s is the target of another mapping; values are mapped only once, so map to the last one "+
					"directly", value, m.Key)
			}
			from[k] = true
		}
		out = append(out, ValueMapping{m.Key, m.From, m.To})
	}
	return out
}

// redistribution checks the rule with an index.
func redistribution(i int, r redistribute) (Redistribution, error) {
	out := Redistribution(r)
	fault := func(format string, args ...any) (Redistribution, error) {
		return out, fmt.Errorf("redistribute %d: %s", i+1, fmt.Sprintf(format, args...))
	}
	if err := patterns(r.Cluster, r.From); err != nil {
		return fault("%s", err)
	}
	for _, c := range r.Causes {
		if !slices.Contains(PassedOn, c) {
			return fault("cause %q is not passed on: choose from %s", c, strings.Join(PassedOn, ", "))
		}
	}
	switch r.Method {
	case PassNone, PassUsed, PassHeld, PassEven:
		if len(r.Weights) > 0 || r.Team != "" {
			return fault("method %s takes neither weights nor a team", r.Method)
		}
	case PassWeights:
		sum := int64(0)
		for team, weight := range r.Weights {
			if weight < 0 || weight > 1_000_000_000 {
				return fault("weight of %s is %d: 0 to 1000000000 are possible", team, weight)
			}
			sum += weight
		}
		if sum == 0 || r.Team != "" {
			return fault("method weights needs weights above 0 by team, and no team")
		}
	case PassOwner:
		if r.Team == "" || len(r.Weights) > 0 {
			return fault("method owner needs a team, and no weights")
		}
	default:
		return fault("method %q is unknown: write none, used, held, even, weights or owner", r.Method)
	}
	return out, nil
}

// patterns checks the form of patterns of path.Match.
func patterns(list ...string) error {
	for _, p := range list {
		if _, err := path.Match(p, ""); err != nil {
			return fmt.Errorf("pattern %q: brackets or a backslash are not closed", p)
		}
	}
	return nil
}
