package people

import (
	"context"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
)

// Keeper keeps who may see what. Whatever it does not do it refuses with a
// *access.RefusedError.
type Keeper interface {
	Users
	Tokens
	Sessions
}

// Users keeps who signs in.
type Users interface {
	Users(ctx context.Context) ([]access.User, error)
	// AddUser returns the secret of a link to choose a password where none is given.
	AddUser(ctx context.Context, g access.Grant, password string) (link string, err error)
	Link(ctx context.Context, name, by string, at time.Time) (link string, err error)
	// SetUser gives a user another role or scope, and returns what he has then.
	SetUser(ctx context.Context, c access.Change) (access.Grant, error)
	// SignOutUser ends all sessions of a user, who may sign in again.
	SignOutUser(ctx context.Context, name, by string, at time.Time) error
	DisableUser(ctx context.Context, name, by string, at time.Time) error
	// SeeAs lets the session of an admin see what a user sees, until StopSeeing.
	SeeAs(ctx context.Context, secret, name string, at time.Time) error
	StopSeeing(ctx context.Context, secret string, at time.Time) error
}

// Tokens keeps what programs show, and the logins of the database.
type Tokens interface {
	Tokens(ctx context.Context) ([]access.Token, error)
	// CreateToken makes a token that ends after life.
	CreateToken(ctx context.Context, g access.Grant, life time.Duration) (id ledger.ID, token string, err error)
	RevokeToken(ctx context.Context, id ledger.ID, by string, at time.Time) error
	Logins(ctx context.Context) ([]access.Login, error)
}

// Sessions keeps where people are signed in. The secret of a session says whose they
// are, so that nobody reaches those of others.
type Sessions interface {
	Sessions(ctx context.Context, secret string, at time.Time) ([]access.Session, error)
	EndSession(ctx context.Context, secret string, id ledger.ID, at time.Time) error
	EndOtherSessions(ctx context.Context, secret string, at time.Time) error
	// HasPassword reports whether he signs in with a password here.
	HasPassword(ctx context.Context, secret string) (bool, error)
	// ChangePassword lets him choose another who knows the old one. All of his sessions
	// end; it returns the secret of a new one. A *access.SlowDownError where he guesses.
	ChangePassword(ctx context.Context, secret, old, chosen string, from access.Origin,
		at time.Time) (fresh string, err error)
	// Conditions are those of a viewer's scope; none: he sees all that his role sees.
	Conditions(ctx context.Context, v *access.Viewer) ([]string, error)
}
