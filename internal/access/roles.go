package access

import (
	"fmt"
	"slices"
	"strings"
)

// Right is a right that a role may have.
type Right string

// Rights.
const (
	// Anybody marks routes that are open to everyone who reaches the server.
	Anybody Right = ""
	Read    Right = "read"    // see data within the scope
	Write   Right = "write"   // send telemetry and facts
	Scrape  Right = "scrape"  // read the server's own metrics
	Policy  Right = "policy"  // store and withdraw versions of the policy
	Close   Right = "close"   // close periods
	Reopen  Right = "reopen"  // reopen closed periods
	Advise  Right = "advise"  // decide on recommendations
	Plan    Right = "plan"    // write budgets and annotations
	Audit   Right = "audit"   // read the audit log
	Admin   Right = "admin"   // users, tokens, sessions
	Signed  Right = "signed"  // manage the own session; every role has it
	Nothing Right = "nothing" // no role has it
)

// docs describe rights, as the end of a sentence with "may".
var docs = map[Right]string{
	Read: "see data within its scope", Write: "send telemetry and facts", Scrape: "read the server's own metrics",
	Policy: "store and withdraw versions of the policy", Close: "close periods", Reopen: "reopen closed periods",
	Advise: "decide on recommendations", Plan: "write budgets and annotations",
	Audit: "read the audit log", Admin: "manage users, tokens and sessions",
}

// Doc describes the right, as the end of a sentence with "may".
func (r Right) Doc() string { return docs[r] }

// RightTo is the right that reading a dataset needs.
func RightTo(dataset string) Right {
	if dataset == "audit" {
		return Audit
	}
	return Read
}

// Role is the role of a user or token.
type Role string

// Roles.
const (
	RoleViewer   Role = "viewer"
	RoleTeamLead Role = "team_lead"
	RoleAnalyst  Role = "analyst"
	RolePlatform Role = "platform"
	RoleAuditor  Role = "auditor"
	RoleAdmin    Role = "admin"
	RoleIngest   Role = "ingest"
)

// role is a role with its rights; all means that it sees everything without a scope.
type role struct {
	name   Role
	doc    string
	rights []Right
	all    bool
}

// roles is the table of docs/operate/access.md, from the fewest rights to the most; the role of
// machines is last.
var roles = []role{
	{RoleViewer, "sees data within its scope", []Right{Read}, false},
	{RoleTeamLead, "sees its teams' data", []Right{Read}, false},
	{
		RoleAnalyst, "manages policies and budgets, closes months, decides on recommendations",
		[]Right{Read, Policy, Close, Reopen, Advise, Plan}, true,
	},
	{
		RolePlatform, "decides on recommendations, writes budgets and annotations, reads the server's own metrics",
		[]Right{Read, Advise, Plan, Scrape}, true,
	},
	{RoleAuditor, "reads everything, including the audit log", []Right{Read, Audit}, true},
	{
		RoleAdmin, "may do everything",
		[]Right{Read, Write, Scrape, Policy, Close, Reopen, Advise, Plan, Audit, Admin}, true,
	},
	{RoleIngest, "sends telemetry, reads nothing", []Right{Write}, false},
}

func (r Role) entry() role {
	i := slices.IndexFunc(roles, func(known role) bool { return known.name == r })
	if i < 0 {
		return role{name: r}
	}
	return roles[i]
}

// Roles lists the names of all roles.
func Roles() []Role {
	var list []Role
	for _, r := range roles {
		list = append(list, r.name)
	}
	return list
}

// ParseRole refuses a role that does not exist.
func ParseRole(text string) (Role, error) {
	if r := Role(text); slices.Contains(Roles(), r) {
		return r, nil
	}
	var known []string
	for _, r := range Roles() {
		known = append(known, string(r))
	}
	return "", fmt.Errorf("unknown role %q; known roles are %s", text, strings.Join(known, ", "))
}

// Doc describes the role in one line.
func (r Role) Doc() string { return r.entry().doc }

// Rights lists the rights of the role.
func (r Role) Rights() []Right { return slices.Clone(r.entry().rights) }

// May reports whether a role has a right.
func (r Role) May(right Right) bool {
	return right == Anybody || right == Signed || slices.Contains(r.entry().rights, right)
}

// SeesAll reports whether the role sees everything without a scope.
func (r Role) SeesAll() bool { return r.entry().all }
