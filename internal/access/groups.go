package access

import "slices"

// Mapping is the role and scope that a group of a provider or a proxy gives its members.
type Mapping struct {
	Group      string
	Role       Role
	Conditions []string // of the scope; none: as the role has it
}

// GrantOf returns the role and scope that a user's groups give: the highest role, by the order of Roles,
// and the conditions of all groups that give it. Without conditions, the user sees what the role
// sees without a scope. Conditions are sorted, so that the same groups always give the same result.
// A user in no group with a role gets a *RefusedError.
func GrantOf(mappings []Mapping, groups []string) (role Role, conditions []string, err error) {
	highest, everything := -1, false
	for _, m := range mappings {
		rank := slices.Index(Roles(), m.Role)
		if rank < 0 || m.Role == RoleIngest || rank < highest || !slices.Contains(groups, m.Group) {
			continue
		}
		if rank > highest {
			highest, role, conditions, everything = rank, m.Role, nil, false
		}
		everything = everything || len(m.Conditions) == 0 && m.Role.SeesAll()
		conditions = append(conditions, m.Conditions...)
	}
	if highest < 0 {
		return "", nil, &RefusedError{Reason: "none of your groups has a role here"}
	}
	if everything {
		return role, nil, nil
	}
	slices.Sort(conditions)
	return role, slices.Compact(conditions), nil
}
