package access

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
)

// A user's access to their own account. Sessions are found through the secret of one of them, so users cannot reach
// each other's sessions.

// Sessions lists the sessions of the user who holds secret, that session first.
func (s *Access) Sessions(ctx context.Context, secret string, at time.Time) ([]access.Session, error) {
	return pg.List[access.Session](ctx, s.DB.Pool, "access.sessions_of", pg.Tenant, access.Digest(secret), at,
		at.Add(-access.SessionIdle))
}

// EndSession ends session id if it belongs to the user who holds secret.
func (s *Access) EndSession(ctx context.Context, secret string, id ledger.ID, at time.Time) error {
	return s.DB.InTx(ctx, "end a session", func(tx pgx.Tx) error {
		n, err := endOwn(ctx, tx, secret, &id, at)
		if err == nil && n == 0 {
			err = refuse("this session has ended already")
		}
		return err
	})
}

// EndOtherSessions ends all sessions of the user who holds secret, except that one.
func (s *Access) EndOtherSessions(ctx context.Context, secret string, at time.Time) error {
	return s.DB.InTx(ctx, "end other sessions", func(tx pgx.Tx) error {
		_, err := endOwn(ctx, tx, secret, nil, at)
		return err
	})
}

// sessionsEnded is the audit action for sessions that a user ended.
const sessionsEnded = "sessions ended"

// ended is the audit log's detail about them.
type ended struct {
	Sessions int `json:"sessions"`
}

func endOwn(ctx context.Context, tx pgx.Tx, secret string, id *ledger.ID, at time.Time) (n int, err error) {
	gone, found, err := pg.Found(pg.One[endedOf](ctx, tx, "access.end_own", pg.Tenant, access.Digest(secret), id))
	if !found {
		return 0, err
	}
	return gone.Sessions, audit(ctx, tx, at, gone.Name, sessionsEnded, gone.Name, gone.ended)
}

// Conditions are those of a viewer's scope; none if the viewer sees all that the role sees.
func (s *Access) Conditions(ctx context.Context, v *access.Viewer) (list []string, err error) {
	if v.Scope == "" {
		return nil, nil
	}
	list, _, err = pg.Found(pg.Value[[]string](ctx, s.DB.Pool, "access.conditions", pg.Tenant, v.Scope))
	return list, err
}
