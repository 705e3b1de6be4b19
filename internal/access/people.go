package access

import (
	"strings"
	"time"

	"gpuledger/internal/ledger"
)

// Grant is what somebody is to have.
type Grant struct {
	Name       string
	Role       Role
	Conditions []string // of the scope; none: as the role has it
	By         string   // who grants it, for the audit log
	At         time.Time
}

// Change is what a user is to have from now on.
type Change struct {
	Name       string
	Role       Role      // empty: the one he has
	Conditions *[]string // of the scope; nil: those he has, empty: as the role has it
	By         string
	At         time.Time
}

// State says how a user or token stands.
type State string

// States.
const (
	Active   State = "active"
	Invited  State = "invited"  // a user who never chose a password
	Disabled State = "disabled" // a user who signs in no more
	Revoked  State = "revoked"  // a token that somebody ended
	Expired  State = "expired"  // a token that ended by itself
)

// User is somebody who signs in.
type User struct {
	ID         ledger.ID
	Name       string
	Role       Role
	Conditions []string // none: everything, or nothing as the role has it
	CreatedAt  time.Time
	DisabledAt *time.Time
	SeenAt     *time.Time // when a session of his was last used, to the minute
	Password   bool       // he has one
	Issuer     string     // the provider that signs him in; empty: he signs in here
}

// State is how the user stands.
func (u *User) State() State {
	switch {
	case u.DisabledAt != nil:
		return Disabled
	case !u.Password && u.Issuer == "":
		return Invited
	}
	return Active
}

// Token is what programs show. Its secret is known to whoever it was shown to, once.
type Token struct {
	ID         ledger.ID
	Name       string
	Role       Role
	Conditions []string
	CreatedAt  time.Time
	ExpiresAt  *time.Time
	RevokedAt  *time.Time
	UsedAt     *time.Time // to the minute
}

// State is how the token stands at a time.
func (t *Token) State(at time.Time) State {
	switch {
	case t.RevokedAt != nil:
		return Revoked
	case t.ExpiresAt != nil && !t.ExpiresAt.After(at):
		return Expired
	}
	return Active
}

// Login is a login of the database for BI tools.
type Login struct {
	Name       string   `json:"name"`
	Everything bool     `json:"everything"`
	Scope      []string `json:"scope"`
	Bound      bool     `json:"bound"` // an administrator made it
}

// Sees says in words what the login sees.
func (l *Login) Sees() string {
	if l.Everything {
		return "everything"
	}
	return strings.Join(l.Scope, " or ")
}

// ScopeWords say what a role sees within the conditions of a scope.
func ScopeWords(role Role, conditions []string) string {
	switch {
	case len(conditions) > 0:
		return strings.Join(conditions, " or ")
	case role.SeesAll():
		return "everything"
	case role.May(Read):
		return "nothing"
	}
	return "reads nothing"
}
