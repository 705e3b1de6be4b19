package oidc

import (
	"slices"

	"gpuledger/internal/access"
)

// Mapping is what a group of the provider gives its members.
type Mapping struct {
	Group      string
	Role       access.Role
	Conditions []string // of the scope; none: as the role has it
}

// Grant is what somebody's groups give him: the highest role, by the order of
// access.Roles, and the scopes of all groups that give it. Without conditions he sees
// what the role sees without a scope. They are sorted, so that the same groups always
// give the same. Who is in no group that gives a role is refused, with a
// *access.RefusedError.
func (p *Provider) Grant(who access.Identity) (role access.Role, conditions []string, err error) {
	highest, everything := -1, false
	for _, m := range p.cfg.Groups {
		rank := slices.Index(access.Roles(), m.Role)
		if rank < 0 || m.Role == access.RoleIngest || rank < highest || !slices.Contains(who.Groups, m.Group) {
			continue
		}
		if rank > highest {
			highest, role, conditions, everything = rank, m.Role, nil, false
		}
		everything = everything || len(m.Conditions) == 0 && m.Role.SeesAll()
		conditions = append(conditions, m.Conditions...)
	}
	if highest < 0 {
		return "", nil, &access.RefusedError{Reason: "your groups give no role here"}
	}
	if everything {
		return role, nil, nil
	}
	slices.Sort(conditions)
	return role, slices.Compact(conditions), nil
}
