package folder

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"gpuledger/allocation/policy"
	"gpuledger/internal/period"
)

// Compare lists how a folder without faults differs from the stored configuration. Faults are contradictions between
// both.
func Compare(s *State, f *Folder) (*Plan, []Fault) {
	c := &comparison{state: s, plan: &Plan{}}
	c.policies(f.Policies)
	c.mappings(f.Mappings)
	c.book(f)
	c.budgets(f.Budgets)
	c.rates(f.Books)
	c.views(f.Views)
	c.schedules(f.Schedules)
	order := func(kind string) int { return slices.Index(Kinds, kind) }
	slices.SortStableFunc(c.plan.Changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(order(a.Kind), order(b.Kind)), cmp.Compare(a.Name, b.Name),
			cmp.Compare(a.ValidFrom, b.ValidFrom))
	})
	return c.plan, sorted(c.faults)
}

type comparison struct {
	state   *State
	plan    *Plan
	faults  []Fault
	inForce []StoredPolicy // once everything is stored
}

func (c *comparison) fault(at Place, format string, args ...any) {
	c.faults = append(c.faults, Fault{at, fmt.Sprintf(format, args...)})
}

func (c *comparison) change(at Place, kind, name string, day period.Second, do Action, fields []policy.Difference) {
	if fields == nil {
		fields = []policy.Difference{}
	}
	c.plan.Changes = append(c.plan.Changes, Change{at, kind, name, dayOf(day), do, fields})
}

// dayOf is a day as text; empty for 0.
func dayOf(day period.Second) string {
	if day == 0 {
		return ""
	}
	return day.Time().Format(time.DateOnly)
}

// from is a day as the end of a name; empty for 0.
func from(day period.Second) string {
	if day == 0 {
		return ""
	}
	return " from " + dayOf(day)
}

func (c *comparison) policies(list []Policy) {
	for _, p := range c.state.Policies {
		if !p.Withdrawn {
			c.inForce = append(c.inForce, p)
		}
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Policy) int { return cmp.Compare(a.ValidFrom, b.ValidFrom) })
	for _, p := range list {
		name := p.Settings.Version
		i := slices.IndexFunc(c.state.Policies, func(o StoredPolicy) bool { return o.Settings.Version == name })
		switch {
		case i >= 0 && c.state.Policies[i].Withdrawn:
			c.fault(p.Place, "version %s was withdrawn: give the document another version name, or remove the file", name)
			continue
		case i >= 0 && !same(c.state.Policies[i].Document, p.Document):
			c.fault(p.Place, "version %s is stored with another content, and a version never changes: give this one another "+
				"version name", name)
			continue
		case i >= 0:
			c.change(p.Place, KindPolicy, name, p.ValidFrom, None, nil)
			continue
		}
		if other := c.onDay(p); other != "" {
			c.fault(p.Place, "version %s applies from the same day: write another valid_from, or withdraw %s first", other,
				other)
			continue
		}
		fields, err := c.policyFields(p)
		if err != nil {
			c.fault(p.Place, "%s", err)
			continue
		}
		c.change(p.Place, KindPolicy, name, p.ValidFrom, Create, fields)
		c.plan.Policies = append(c.plan.Policies, p)
		c.inForce = append(c.inForce, StoredPolicy{Version: p.Version, Document: p.Document})
	}
}

// onDay is another version of the rules that applies from the day of p.
func (c *comparison) onDay(p Policy) string {
	for _, o := range c.inForce {
		if !p.OnlyRates && !o.OnlyRates && o.ValidFrom == p.ValidFrom {
			return o.Settings.Version
		}
	}
	return ""
}

// policyFields is how a version differs from the one that it follows.
func (c *comparison) policyFields(p Policy) ([]policy.Difference, error) {
	var others []policy.Version
	before := StoredPolicy{}
	for _, o := range c.inForce {
		others = append(others, o.Version)
		if !o.OnlyRates && o.ValidFrom <= p.ValidFrom && (before.Document == "" || o.ValidFrom > before.ValidFrom) {
			before = o
		}
	}
	if p.OnlyRates {
		return policy.RateDifferences(p.Version, others), nil
	}
	fields, err := policy.Differences([]byte(before.Document), []byte(p.Document))
	return append(fields, policy.RateDifferences(p.Version, others)...), err
}

func (c *comparison) mappings(list []Mapping) {
	known := slices.Clone(c.state.Mappings)
	for _, m := range list {
		next := StoredMapping{Mapping: m.Mapping, Number: 1, Document: m.Document}
		do, before := Create, ""
		var since period.Second
		for _, o := range known {
			if o.Name != m.Name {
				continue
			}
			do = Update
			if o.ValidFrom <= m.ValidFrom && o.ValidFrom >= since {
				since, before = o.ValidFrom, o.Document
			}
			if o.ValidFrom == m.ValidFrom {
				next.Number = o.Number + 1
			}
		}
		if next.Number > 1 && same(before, m.Document) {
			c.change(m.Place, KindMapping, m.Name, m.ValidFrom, None, nil)
			continue
		}
		fields, err := policy.MappingDifferences([]byte(before), []byte(m.Document))
		if err != nil {
			c.fault(m.Place, "%s", err)
			continue
		}
		c.change(m.Place, KindMapping, m.Name, m.ValidFrom, do, fields)
		c.plan.Mappings = append(c.plan.Mappings, next)
	}
}

// book makes the rules as they are once everything is stored, and lists contradictions between them.
func (c *comparison) book(f *Folder) {
	versions := make([]policy.Version, 0, len(c.inForce))
	for _, p := range c.inForce {
		versions = append(versions, p.Version)
	}
	book, err := policy.NewBook(versions...)
	if err != nil { // stored versions and new ones were checked before
		c.fault(Place{File: "."}, "%s", err)
		return
	}
	var mappings []policy.Mapping
	for _, m := range append(slices.Clone(c.state.Mappings), c.plan.Mappings...) {
		mappings = slices.DeleteFunc(mappings, func(o policy.Mapping) bool {
			return o.Name == m.Name && o.ValidFrom == m.ValidFrom
		})
		mappings = append(mappings, m.Mapping)
	}
	c.plan.Book = book.WithMappings(mappings...)
	c.plan.Guarded = c.plan.Moves() && stored(c.state).At(c.state.At).Guards(policy.Policies)
	for _, clash := range c.plan.Book.Clashes() {
		for _, side := range []policy.Side{clash.Side, clash.Other} { // the ledger may have either of them already
			if at, found := f.place(side); found {
				c.fault(at, "%s", side.What)
				break
			}
		}
	}
}

// place is where a rule of a mapping or of a version of the policy is in the folder.
func (f *Folder) place(s policy.Side) (at Place, found bool) {
	for _, m := range f.Mappings {
		if s.Mapping != "" && m.Name == s.Mapping && m.ValidFrom == s.ValidFrom {
			return m.rules[s.Rule], true
		}
	}
	for _, p := range f.Policies {
		if s.Mapping == "" && p.Settings.Version == s.Version {
			return p.rules[s.Rule], true
		}
	}
	return Place{}, false
}

// stored is the book of the stored versions, without mappings.
func stored(s *State) policy.Book {
	var versions []policy.Version
	for _, p := range s.Policies {
		if !p.Withdrawn {
			versions = append(versions, p.Version)
		}
	}
	book, err := policy.NewBook(versions...)
	if err != nil { // it was read as a book
		return policy.Book{}
	}
	return book
}
