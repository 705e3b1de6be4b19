package folder

import (
	"slices"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/outgoing"
	"gpuledger/internal/period"
)

// Action is what becomes of a thing in a folder.
type Action string

// Actions.
const (
	Create Action = "create"
	Update Action = "update" // the next version
	None   Action = "none"
)

// Change is how one thing of a folder differs from the stored one.
type Change struct {
	Place     `json:"-"`
	Kind      string              `json:"kind"`
	Name      string              `json:"name"`
	ValidFrom string              `json:"valid_from,omitempty"` // day; of policies and mappings
	Action    Action              `json:"action"`
	Fields    []policy.Difference `json:"fields"`
}

// State is the stored configuration.
type State struct {
	At       period.Second // when it was read
	Policies []StoredPolicy
	Mappings []StoredMapping // the newest version of each name and day
	Budgets  []ledger.Budget // the newest version of each
	Rates    []ledger.Rate
	Books    []StoredBook
	Views    []View // shared ones; those from files first
	// Schedules of exports.
	Schedules []outgoing.Schedule
}

// StoredPolicy is a version of the policy.
type StoredPolicy struct {
	policy.Version
	Document  string
	Withdrawn bool
}

// StoredMapping is a version of a mapping.
type StoredMapping struct {
	policy.Mapping
	Number   int
	Document string
}

// StoredBook is a price book whose machines are in the bills.
type StoredBook struct {
	Name     string
	Document string         // its newest text; empty: it was imported before texts were kept
	Newest   *period.Second // time of its newest issue; nil: unknown
}

// Day is the day from which the mapping applies, as changes have it.
func (m *StoredMapping) Day() string { return dayOf(m.ValidFrom) }

// Plan is how a folder differs from the ledger, and the things to store.
type Plan struct {
	Changes  []Change
	Policies []Policy // by day
	Mappings []StoredMapping
	Budgets  []ledger.Budget
	Rates    []ledger.Rate
	Owned    []Book // with machines whose cost becomes bill lines
	Views    []View
	// Schedules of exports.
	Schedules []outgoing.Schedule
	// Book has the rules as they are once everything is stored.
	Book policy.Book
	// Guarded: the policy in force requires a second person for the change.
	Guarded bool
}

// Differs reports whether there is anything to store.
func (p *Plan) Differs() bool {
	return slices.ContainsFunc(p.Changes, func(c Change) bool { return c.Action != None })
}

// Moves reports whether the plan changes the rules by which cost is divided.
func (p *Plan) Moves() bool { return len(p.Policies)+len(p.Mappings) > 0 }

// Recomputes reports whether days must be computed again once the plan is stored.
func (p *Plan) Recomputes() bool { return p.Moves() || len(p.Owned) > 0 }

// Keys lists the owner dimensions whose values the plan may change, team first.
func (p *Plan) Keys(s *State) []string {
	said := map[string]bool{}
	note := func(m policy.Mapping) {
		for _, dimension := range m.Dimensions() {
			said[dimension] = true
		}
	}
	for _, m := range p.Mappings {
		note(m.Mapping)
		for _, o := range s.Mappings {
			if o.Name == m.Name {
				note(o.Mapping)
			}
		}
	}
	for _, v := range p.Policies {
		note(policy.Mapping{Owners: v.Owners, Allowed: v.Allowed, Values: v.Values})
	}
	if len(p.Policies) > 0 { // rules that the new versions leave out
		for _, v := range s.Policies {
			note(policy.Mapping{Owners: v.Owners, Allowed: v.Allowed, Values: v.Values})
		}
	}
	for i := range p.Owned {
		for _, e := range p.Owned[i].Owned.Owned {
			for dimension := range e.Tags {
				said[dimension] = true
			}
		}
	}
	keys := []string{"team"}
	for _, dimension := range ledger.Dimensions {
		if said[dimension] && dimension != keys[0] {
			keys = append(keys, dimension)
		}
	}
	return keys
}

// Of is the change of a thing.
func (p *Plan) Of(kind, name, validFrom string) *Change {
	i := slices.IndexFunc(p.Changes, func(c Change) bool {
		return c.Kind == kind && c.Name == name && c.ValidFrom == validFrom
	})
	if i < 0 {
		return nil
	}
	return &p.Changes[i]
}
