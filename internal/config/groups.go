package config

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
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

// check reports the faults of the section.
func (a *Access) check(known Known) (faults []error) {
	of := func(section string) lineFault {
		return func(line int, format string, args ...any) {
			faults = append(faults, fmt.Errorf("line %d, access.%s: %s", line, section, fmt.Sprintf(format, args...)))
		}
	}
	if a.OIDC != nil {
		a.OIDC.check(known, of("oidc"))
	}
	if a.Proxy != nil {
		a.Proxy.check(known, of("proxy"))
	}
	return faults
}

// findGroupLines finds the lines of the groups of a section.
func findGroupLines(section yaml.Node, groups []Group) error {
	var doc struct {
		Groups []yaml.Node `yaml:"groups"`
	}
	if err := section.Decode(&doc); err != nil {
		return err
	}
	for i, n := range doc.Groups {
		groups[i].line = n.Line
	}
	return nil
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
		fault(g.line, "group %q: unknown role %q; known roles are %s", g.Group, g.Role, strings.Join(known.Roles, ", "))
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
