package access

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
)

// The cast of a demo are users who have neither a password nor a link to choose one.
// Sessions of theirs are good where AdmitCast was called and nowhere else, so that a
// demo opens no other server on its database.

// AdmitCast lets sessions of those pass who never chose a password. Not safe while in use.
func (s *Access) AdmitCast() { s.cast = true }

// AddCast adds the users of a demo who are not there yet. The first of them is whom Setup
// makes: a server with access control that is started later invites him as ever.
func (s *Access) AddCast(ctx context.Context, cast []Grant) error {
	return s.DB.InTx(ctx, "add the users of a demo", func(tx pgx.Tx) error {
		if _, err := pg.Exec(ctx, tx, "access.setup_lock"); err != nil {
			return err
		}
		for _, g := range cast {
			if _, _, err := userID(ctx, tx, g.Name); err == nil {
				continue
			} else if _, none := errors.AsType[*access.RefusedError](err); !none {
				return err
			}
			scope, err := s.scopeOf(ctx, tx, g)
			if err != nil {
				return err
			}
			_, err = pg.Exec(ctx, tx, "access.put_user", pg.Tenant, randomID(), g.Name, g.Role, scope, nil, g.At)
			if err != nil {
				return err
			}
			if err := audit(ctx, tx, g.At, g.By, "user added", g.Name, granted{g.Role, g.Conditions}); err != nil {
				return err
			}
		}
		return nil
	})
}

// SignInCast begins a session for one of the cast and returns its secret. A
// *access.RefusedError where he has become somebody: he chose a password, or was disabled.
func (s *Access) SignInCast(ctx context.Context, name string, from access.Origin, at time.Time) (
	secret string, err error) {
	err = s.DB.InTx(ctx, "sign in at a demo", func(tx pgx.Tx) error {
		id, found, err := pg.Found(pg.Value[ledger.ID](ctx, tx, "access.cast", pg.Tenant, name))
		if err != nil {
			return err
		}
		if !found {
			return refuse("the demo signs nobody in as %q any more, who chose a password or is disabled", name)
		}
		if secret, err = beginSession(ctx, tx, id, from, "", at); err != nil {
			return err
		}
		return audit(ctx, tx, at, name, "signed in", name, byDemo{from.Address, "a link of the demo"})
	})
	return secret, err
}

// byDemo is what the audit log says of how one of the cast signed in.
type byDemo struct {
	Address string `json:"address"`
	By      string `json:"by"`
}
