package access

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
)

// who is a user who wants to change their password.
type who struct {
	UserID       ledger.ID
	Name         string
	Hash, Issuer string // their password's hash and their provider; empty: none
}

// whoHas finds the user of a session by its secret; nil if the session has ended.
func (s *Access) whoHas(ctx context.Context, secret string) (*who, error) {
	w, found, err := pg.Found(pg.One[who](ctx, s.DB.Pool, "access.who_has", pg.Tenant, access.Digest(secret)))
	if !found {
		return nil, err
	}
	return &w, nil
}

// HasPassword reports whether the session's user signs in with a password here.
func (s *Access) HasPassword(ctx context.Context, secret string) (bool, error) {
	w, err := s.whoHas(ctx, secret)
	return w != nil && w.Hash != "", err
}

// ChangePassword changes the password of the session's user, who must know the old one; wrong guesses count like failed
// sign-ins. All of the user's sessions and links end, and the secret of a new session is returned.
func (s *Access) ChangePassword(ctx context.Context, secret, old, chosen string, from access.Origin, at time.Time) (
	fresh string, err error) {
	from = boundedOrigin(from)
	w, err := s.whoHas(ctx, secret)
	switch {
	case err != nil:
		return "", err
	case w == nil:
		return "", refuse("this session has ended")
	case w.Issuer != "":
		return "", refuse("%q signs in at a provider and has no password here", w.Name)
	case w.Hash == "":
		return "", refuse("%q has no password to change: ask an admin for a link to choose the first", w.Name)
	case old == chosen:
		return "", refuse("the new password is the same as the old one")
	}
	if err := access.CheckPassword(w.Name, chosen); err != nil {
		return "", refuse("%s", err)
	}
	if err := s.count(ctx, access.Folded(w.Name), from.Address, at); err != nil {
		return "", err
	}
	ok, err := access.IsPassword(ctx, old, w.Hash)
	if err != nil {
		return "", err
	}
	if !ok {
		if err := s.DB.InTx(ctx, "note a wrong password", func(tx pgx.Tx) error {
			return audit(ctx, tx, at, w.Name, "password change failed", w.Name, signedIn{from.Address})
		}); err != nil {
			return "", err
		}
		return "", refuse("the old password is wrong")
	}
	hash, err := access.HashPassword(ctx, chosen)
	if err != nil {
		return "", err
	}
	err = s.DB.InTx(ctx, "change a password", func(tx pgx.Tx) error {
		for _, step := range []struct {
			statement string
			args      []any
		}{
			{"access.drop_failures", []any{pg.Tenant, access.Folded(w.Name), from.Address}},
			{"access.put_password", []any{pg.Tenant, w.UserID, hash}},
			{"access.drop_links", []any{pg.Tenant, w.UserID}},
			{"access.end_sessions", []any{pg.Tenant, w.UserID}},
		} {
			if _, err := pg.Exec(ctx, tx, step.statement, step.args...); err != nil {
				return err
			}
		}
		if fresh, err = beginSession(ctx, tx, w.UserID, from, "", at); err != nil {
			return err
		}
		return audit(ctx, tx, at, w.Name, "password changed", w.Name, signedIn{from.Address})
	})
	return fresh, err
}
