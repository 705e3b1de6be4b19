package people

import (
	"context"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
)

// Keeper manages access. It refuses a change with a *access.RefusedError.
type Keeper interface {
	Users
	Tokens
	Sessions
}

// Users manages the users who sign in.
type Users interface {
	Users(ctx context.Context) ([]access.User, error)
	// AddUser returns the secret of a link to choose a password if password is empty.
	AddUser(ctx context.Context, g access.Grant, password string) (link string, err error)
	Link(ctx context.Context, name, by string, at time.Time) (link string, err error)
	// SetUser gives a user another role or scope, and returns the result.
	SetUser(ctx context.Context, c access.Change) (access.Grant, error)
	// SignOutUser ends all sessions of a user, who may sign in again.
	SignOutUser(ctx context.Context, name, by string, at time.Time) error
	DisableUser(ctx context.Context, name, by string, at time.Time) error
	// SeeAs lets an admin's session see what a user sees, until StopSeeing.
	SeeAs(ctx context.Context, secret, name string, at time.Time) error
	StopSeeing(ctx context.Context, secret string, at time.Time) error
}

// Tokens manages the tokens of programs and the logins of the database.
type Tokens interface {
	Tokens(ctx context.Context) ([]access.Token, error)
	// CreateToken creates a token that expires after life.
	CreateToken(ctx context.Context, g access.Grant, life time.Duration) (id ledger.ID, token string, err error)
	RevokeToken(ctx context.Context, id ledger.ID, by string, at time.Time) error
	Logins(ctx context.Context) ([]access.Login, error)
}

// Sessions manages users' sessions. The secret of a session identifies its user, so that
// users reach only their own.
type Sessions interface {
	Sessions(ctx context.Context, secret string, at time.Time) ([]access.Session, error)
	EndSession(ctx context.Context, secret string, id ledger.ID, at time.Time) error
	EndOtherSessions(ctx context.Context, secret string, at time.Time) error
	// HasPassword reports whether the user signs in with a password.
	HasPassword(ctx context.Context, secret string) (bool, error)
	// ChangePassword sets a new password if old is right. It ends all sessions of the user and
	// returns the secret of a new one. Guessing gives a *access.SlowDownError.
	ChangePassword(ctx context.Context, secret, old, chosen string, from access.Origin,
		at time.Time) (fresh string, err error)
	// Conditions are those of a viewer's scope; without any, the viewer sees all that the
	// role allows.
	Conditions(ctx context.Context, v *access.Viewer) ([]string, error)
}
