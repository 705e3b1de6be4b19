package access

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
)

// Audit actions for an admin's view as another user.
const (
	seeingBegan = "seeing as began"
	seeingEnded = "seeing as ended"
)

// SeeAs lets the session of an admin see as another user, until StopSeeing.
func (s *Access) SeeAs(ctx context.Context, secret, name string, at time.Time) error {
	return s.DB.InTx(ctx, "see as a user", func(tx pgx.Tx) error {
		if err := stopSeeing(ctx, tx, secret, at); err != nil {
			return err
		}
		return seeAs(ctx, tx, secret, name, at)
	})
}

func seeAs(ctx context.Context, tx pgx.Tx, secret, name string, at time.Time) error {
	by, found, err := pg.Found(pg.Value[string](ctx, tx, "access.see_as", pg.Tenant, access.Digest(secret), name,
		access.RoleAdmin))
	if err != nil {
		return err
	}
	if !found {
		return refuse("you cannot see as %q: there is no such user, they are disabled, or you are %[1]q yourself", name)
	}
	return audit(ctx, tx, at, by, seeingBegan, name, nil)
}

// StopSeeing returns a session to its own user's view. It does nothing if the session already has that view.
func (s *Access) StopSeeing(ctx context.Context, secret string, at time.Time) error {
	return s.DB.InTx(ctx, "see as oneself", func(tx pgx.Tx) error { return stopSeeing(ctx, tx, secret, at) })
}

func stopSeeing(ctx context.Context, tx pgx.Tx, secret string, at time.Time) error {
	end, found, err := pg.Found(pg.One[struct{ By, SawAs string }](ctx, tx, "access.see_as_oneself", pg.Tenant,
		access.Digest(secret)))
	if !found {
		return err
	}
	return audit(ctx, tx, at, end.By, seeingEnded, end.SawAs, nil)
}

// endSeeingAs ends all sessions' views as a user.
func endSeeingAs(ctx context.Context, tx pgx.Tx, user ledger.ID, name string, at time.Time) error {
	admins, err := pg.Values[string](ctx, tx, "access.seen_as", pg.Tenant, user)
	if err != nil {
		return err
	}
	for _, by := range admins {
		if err := audit(ctx, tx, at, by, seeingEnded, name, nil); err != nil {
			return err
		}
	}
	return nil
}
