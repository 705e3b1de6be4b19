package config

import (
	"slices"
	"strings"

	"gpuledger/internal/nearest"
)

// Group is the role and scope that a group of a provider or a proxy gives its members.
type Group struct {
	Group string   `yaml:"group"`
	Role  string   `yaml:"role"`
	Scope []string `yaml:"scope,omitempty"` // conditions; a row must match one of them

	line int
}

// lineFault collects a fault at a line.
type lineFault func(line int, format string, args ...any)

// check adds the faults of the section.
func (a *Access) check(known Known, faults *Faults) {
	of := func(section string) lineFault {
		return func(line int, format string, args ...any) {
			faults.adding(line, "access."+section+": ")(format, args...)
		}
	}
	if a.OIDC != nil {
		a.OIDC.check(known, of("oidc"))
	}
	if a.Proxy != nil {
		a.Proxy.check(known, of("proxy"))
	}
}

func findGroupLines(lines []int, groups []Group) {
	for i, line := range lines {
		if i < len(groups) {
			groups[i].line = line
		}
	}
}

// checkGroups reports the faults of the groups of a section that begins at line.
func checkGroups(line int, groups []Group, known Known, fault lineFault) {
	if len(groups) == 0 {
		fault(line, "groups is missing: without groups, no user gets a role")
	}
	for i := range groups {
		groups[i].check(known, fault)
	}
}

func (g *Group) check(known Known, fault lineFault) {
	if g.Group == "" {
		fault(g.line, "group is missing: name it as the provider or the proxy does")
	}
	if !slices.Contains(known.Roles, g.Role) {
		fault(g.line, "group %q: unknown role %q%s; known roles are %s", g.Group, g.Role, nearest.Suggest(g.Role, known.Roles),
			strings.Join(known.Roles, ", "))
	}
	if known.Scope == nil {
		return
	}
	for _, condition := range g.Scope {
		if err := known.Scope(condition); err != nil {
			fault(g.line, "group %q: %s", g.Group, err)
		}
	}
}
