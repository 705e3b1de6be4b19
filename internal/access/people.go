package access

import (
	"strings"
	"time"

	"gpuledger/internal/ledger"
)

// Grant is the role and scope of a new user or token.
type Grant struct {
	Name       string
	Role       Role
	Conditions []string // of the scope; none: the role's default
	By         string   // name for the audit log
	At         time.Time
}

// Change is a change of a user's role or scope.
type Change struct {
	Name       string
	Role       Role      // empty: unchanged
	Conditions *[]string // of the scope; nil: unchanged; empty: the role's default
	By         string
	At         time.Time
}

// State is the state of a user or token.
type State string

// States.
const (
	Active   State = "active"
	Invited  State = "invited"  // a user who has not chosen a password yet
	Disabled State = "disabled" // a user who can no longer sign in
	Revoked  State = "revoked"  // a token that was revoked
	Expired  State = "expired"  // a token past its lifetime
)

// User is a person who signs in.
type User struct {
	ID         ledger.ID
	Name       string
	Role       Role
	Conditions []string // none: everything or nothing, depending on the role
	CreatedAt  time.Time
	DisabledAt *time.Time
	SeenAt     *time.Time // last use of a session, to the minute
	Password   bool       // whether the user has one
	Issuer     string     // provider that signs the user in; empty: this server does
}

// State is the user's state.
func (u *User) State() State {
	switch {
	case u.DisabledAt != nil:
		return Disabled
	case !u.Password && u.Issuer == "":
		return Invited
	}
	return Active
}

// Token is an API token of a program. Its secret is shown once, when it is created.
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

// State is the token's state at a time.
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
	Bound      bool     `json:"bound"` // created by an administrator
}

// Sees describes the login's scope.
func (l *Login) Sees() string {
	if l.Everything {
		return "everything"
	}
	return strings.Join(l.Scope, " or ")
}

// ScopeWords describe what a role sees with the conditions of a scope.
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
