package access

import (
	"fmt"
	"slices"
	"strings"
)

// Right is one thing that somebody may do.
type Right string

// Rights.
const (
	// Anybody marks what is open to whoever reaches the server.
	Anybody Right = ""
	Read    Right = "read"    // see what is in one's scope
	Write   Right = "write"   // send telemetry and facts in
	Scrape  Right = "scrape"  // read our own metrics
	Policy  Right = "policy"  // store and withdraw versions of the policy
	Close   Right = "close"   // close periods
	Reopen  Right = "reopen"  // reopen closed periods
	Advise  Right = "advise"  // decide on recommendations
	Audit   Right = "audit"   // read the audit log
	Admin   Right = "admin"   // users, tokens, sessions
	Signed  Right = "signed"  // whatever the role: one's own session
	Nothing Right = "nothing" // nobody has it
)

// docs say what a right is for, as the end of "may".
var docs = map[Right]string{
	Read: "see data within its scope", Write: "send telemetry and facts", Scrape: "read the server's own metrics",
	Policy: "store and withdraw versions of the policy", Close: "close periods", Reopen: "reopen closed periods",
	Advise: "decide on recommendations", Audit: "read the audit log", Admin: "manage users, tokens and sessions",
}

// Doc says what the right is for, as the end of "may".
func (r Right) Doc() string { return docs[r] }

// RightTo is what somebody needs to read a dataset.
func RightTo(dataset string) Right {
	if dataset == "audit" {
		return Audit
	}
	return Read
}

// Role is what somebody is for the books.
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

// role is what a role may do, and whether it sees everything without a scope.
type role struct {
	name   Role
	doc    string
	rights []Right
	all    bool
}

// roles is the table of docs/operate/access.md, from the least to the most, and then what
// machines have.
var roles = []role{
	{RoleViewer, "sees data within its scope", []Right{Read}, false},
	{RoleTeamLead, "sees its teams' data", []Right{Read}, false},
	{RoleAnalyst, "manages policies, closes months, decides on recommendations", []Right{Read, Policy, Close, Reopen, Advise}, true},
	{RolePlatform, "decides on recommendations, reads the server's own metrics", []Right{Read, Advise, Scrape}, true},
	{RoleAuditor, "reads everything, including the audit log", []Right{Read, Audit}, true},
	{RoleAdmin, "may do everything", []Right{Read, Write, Scrape, Policy, Close, Reopen, Advise, Audit, Admin}, true},
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

// Doc says in one line what the role is for.
func (r Role) Doc() string { return r.entry().doc }

// Rights lists what the role may do.
func (r Role) Rights() []Right { return slices.Clone(r.entry().rights) }

// May reports whether a role has a right.
func (r Role) May(right Right) bool {
	return right == Anybody || right == Signed || slices.Contains(r.entry().rights, right)
}

// SeesAll reports whether the role sees everything where no scope binds it.
func (r Role) SeesAll() bool { return r.entry().all }
