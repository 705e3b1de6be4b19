package access

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/store/pg"
)

// mostPending bounds the pending provider sign-ins of an address: anyone who reaches the server may begin one, and
// offices share an address.
const mostPending = 200

// KeepSignIn stores a sign-in that was begun at a provider, for access.SignInLife. It returns a *access.SlowDownError
// if too many sign-ins of the address are pending.
func (s *Access) KeepSignIn(ctx context.Context, r access.SignInRequest, address string, at time.Time) error {
	return s.DB.InTx(ctx, "begin a sign-in", func(tx pgx.Tx) error {
		pending, err := pg.Value[int](ctx, tx, "access.pending_requests", pg.Tenant, address, at)
		if err != nil {
			return err
		}
		if pending >= mostPending {
			return &access.SlowDownError{After: access.SignInLife}
		}
		_, err = pg.Exec(ctx, tx, "access.put_request", pg.Tenant, access.Digest(r.State), r.Nonce, r.Verifier, r.Back,
			address, at, at.Add(access.SignInLife))
		return err
	})
}

// TakeSignIn returns the pending sign-in of a state and deletes it, so that it is completed at most once; nil if there
// is none or it has expired.
func (s *Access) TakeSignIn(ctx context.Context, state string, at time.Time) (*access.SignInRequest, error) {
	r, found, err := pg.Found(pg.One[access.SignInRequest](ctx, s.DB.Pool, "access.take_request", pg.Tenant,
		access.Digest(state), at))
	if !found {
		return nil, err
	}
	r.State = state
	return &r, nil
}
