package access

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
)

// Bounds of failed sign-ins within failureSpan: for one name from one address, and for all names from one address. A
// name alone is never locked, so users cannot lock each other out.
const (
	failureSpan        = 15 * time.Minute
	failuresOfName     = 5
	failuresOfAnywhere = 50
)

// SignIn begins a session and returns its secret; empty if the name or password is wrong or the user is disabled. Both
// cases take equally long and look the same.
func (s *Access) SignIn(
	ctx context.Context, name, password string, from access.Origin, at time.Time,
) (secret string, err error) {
	if name, from = pg.CleanText(name), boundedOrigin(from); len(name) > longestName {
		name = pg.CleanText(name[:longestName])
	}
	folded := access.Folded(name) // other spellings of a name give no extra tries
	if err := s.count(ctx, folded, from.Address, at); err != nil {
		return "", err
	}
	user, found, err := pg.Found(pg.One[struct {
		UserID         ledger.ID
		Name, Password string
	}](ctx, s.DB.Pool, "access.password", pg.Tenant, name, folded))
	if err != nil {
		return "", err
	}
	if found {
		name = user.Name
	}
	ok, err := access.IsPassword(ctx, password, user.Password)
	if err != nil {
		return "", err
	}
	if !ok {
		return "", s.DB.InTx(ctx, "note a failed sign-in", func(tx pgx.Tx) error {
			return audit(ctx, tx, at, name, signInFailed, name, signedIn{from.Address})
		})
	}
	err = s.DB.InTx(ctx, "sign in", func(tx pgx.Tx) error {
		if _, err := pg.Exec(ctx, tx, "access.drop_failures", pg.Tenant, folded, from.Address); err != nil {
			return err
		}
		if secret, err = beginSession(ctx, tx, user.UserID, from, "", at); err != nil {
			return err
		}
		return audit(ctx, tx, at, name, "signed in", name, signedIn{from.Address})
	})
	return secret, err
}

// beginSession begins a session of a user and returns its secret. If the session began with a provider's session, it
// stores a digest of that.
func beginSession(ctx context.Context, tx pgx.Tx, user ledger.ID, from access.Origin, provider string, at time.Time) (
	secret string, err error) {
	var with []byte
	if provider != "" {
		with = access.Digest(provider)
	}
	secret, from = access.NewSecret(), boundedOrigin(from)
	_, err = pg.Exec(ctx, tx, "access.put_session", pg.Tenant, access.Digest(secret), randomID(), user,
		at, at.Add(access.SessionLife), from.Address, from.Agent, with)
	return secret, err
}

// count records a sign-in as failed until it succeeds, so that parallel attempts cannot exceed the bounds.
func (s *Access) count(ctx context.Context, name, address string, at time.Time) error {
	return s.DB.InTx(ctx, "count a sign-in", func(tx pgx.Tx) error {
		if _, err := pg.Exec(ctx, tx, "access.lock_failures", address); err != nil {
			return err
		}
		failed, err := pg.One[struct{ OfName, OfAddress int }](ctx, tx, "access.failures", pg.Tenant, name, address,
			at.Add(-failureSpan))
		if err != nil {
			return err
		}
		if failed.OfName >= failuresOfName || failed.OfAddress >= failuresOfAnywhere {
			return &access.SlowDownError{After: failureSpan}
		}
		_, err = pg.Exec(ctx, tx, "access.put_failure", pg.Tenant, name, address, at, at.Add(-failureSpan))
		return err
	})
}

type signedIn struct {
	Address string `json:"address"`
}

// Session returns the viewer of a session; nil if it has ended or never existed.
func (s *Access) Session(ctx context.Context, secret string, at time.Time) (*access.Viewer, error) {
	return s.viewer(ctx, access.BySession, "access.session", pg.Tenant, access.Digest(secret), at,
		at.Add(-access.SessionIdle),
		access.RoleAdmin, s.cast, access.ProxyIssuer)
}

// Saw writes to the audit log that a viewer read or exported a statement.
func (s *Access) Saw(ctx context.Context, v *access.Viewer, what, address string, at time.Time) error {
	return s.DB.InTx(ctx, "note who saw a statement", func(tx pgx.Tx) error {
		return audit(ctx, tx, at, v.Actor(), "statement read", pg.CleanText(what), signedIn{address})
	})
}

// Denied writes to the audit log that a viewer asked for something outside their rights.
func (s *Access) Denied(ctx context.Context, v *access.Viewer, what, address string, at time.Time) error {
	return s.DB.InTx(ctx, "note a refusal", func(tx pgx.Tx) error {
		return audit(ctx, tx, at, v.Actor(), "refused", what, signedIn{address})
	})
}

// SignOut ends a session.
func (s *Access) SignOut(ctx context.Context, secret string, at time.Time) error {
	return s.DB.InTx(ctx, "sign out", func(tx pgx.Tx) error {
		of, found, err := pg.Found(pg.One[struct{ Name, SawAs string }](ctx, tx, "access.end_session", pg.Tenant,
			access.Digest(secret)))
		if !found {
			return err
		}
		if of.SawAs != "" {
			if err := audit(ctx, tx, at, of.Name, seeingEnded, of.SawAs, nil); err != nil {
				return err
			}
		}
		return audit(ctx, tx, at, of.Name, "signed out", of.Name, nil)
	})
}
