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

// Demo users have neither a password nor a link to choose one. Their sessions are valid only after AdmitCast, so a demo
// does not open other servers on the same database.

// AdmitCast makes sessions of users who never chose a password valid. Call it before s is used concurrently.
func (s *Access) AdmitCast() { s.cast = true }

// AddCast adds the demo users that do not exist yet. The first is the user that Setup would create, so a server with
// access control that is started later still invites that user.
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

// SignInCast begins a session for a demo user and returns its secret. It returns a *access.RefusedError if the user has
// chosen a password or is disabled.
func (s *Access) SignInCast(ctx context.Context, name string, from access.Origin, at time.Time) (
	secret string, err error) {
	err = s.DB.InTx(ctx, "sign in at a demo", func(tx pgx.Tx) error {
		id, found, err := pg.Found(pg.Value[ledger.ID](ctx, tx, "access.cast", pg.Tenant, name))
		if err != nil {
			return err
		}
		if !found {
			return refuse("the demo no longer signs %q in: this user chose a password or is disabled", name)
		}
		if secret, err = beginSession(ctx, tx, id, from, "", at); err != nil {
			return err
		}
		return audit(ctx, tx, at, name, "signed in", name, byDemo{from.Address, "a link of the demo"})
	})
	return secret, err
}

// byDemo is the audit log's detail for the sign-in of a demo user.
type byDemo struct {
	Address string `json:"address"`
	By      string `json:"by"`
}
