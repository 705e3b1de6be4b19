package access

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/store/pg"
)

// Logout ends the sessions of a user who signed out at the provider: those that began with the given provider session,
// or all of the user's if the token names none. A user without sessions here is fine. A token that was used before
// returns a *access.RefusedError.
func (s *Access) Logout(ctx context.Context, l access.Logout, at time.Time) error {
	return s.DB.InTx(ctx, "sign out for the provider", func(tx pgx.Tx) error {
		n, err := pg.Exec(ctx, tx, "access.put_logout", pg.Tenant, access.Digest(l.Issuer+"\n"+l.ID), at, l.Until)
		if err != nil {
			return err
		}
		if n == 0 {
			return refuse("this logout token was used before")
		}
		var subject *string
		var session []byte
		if l.Subject != "" {
			subject = &l.Subject
		}
		if l.Session != "" {
			session = access.Digest(l.Session)
		}
		if subject == nil && session == nil {
			return refuse("the logout token names neither a user nor a session")
		}
		gone, err := pg.List[endedOf](ctx, tx, "access.end_provided", pg.Tenant, l.Issuer, subject, session)
		if err != nil {
			return err
		}
		for _, e := range gone {
			if err := audit(ctx, tx, at, l.Issuer, sessionsEnded, e.Name, e.ended); err != nil {
				return err
			}
		}
		return nil
	})
}

// endedOf counts the sessions of a user that ended.
type endedOf struct {
	Name string
	ended
}
