package access

import (
	"bytes"
	"context"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/store/pg"
)

// attempt is a stored attempt.
type attempt struct {
	Digest   []byte
	Status   *int32 // NULL while it runs
	Type     string
	Location string
	Body     []byte
}

// Claim claims the key of an attempt, or returns the answer to the attempt that had it first. Keys that are a day old,
// and keys of attempts that never ended, are free again.
func (s *Access) Claim(
	ctx context.Context, a access.Attempt,
) (claim access.Claim, answer access.KeptAnswer, err error) {
	err = s.DB.InTx(ctx, "claim an idempotency key", func(tx pgx.Tx) error {
		old := a.At.Add(-access.KeptFor)
		if _, err := pg.Exec(ctx, tx, "access.drop_kept", pg.Tenant, old); err != nil {
			return err
		}
		n, err := pg.Exec(ctx, tx, "access.claim_key", pg.Tenant, a.Client, a.Key, a.Digest[:], a.At,
			a.At.Add(-access.GivenUpAfter))
		if err != nil || n > 0 {
			claim = access.Claimed
			return err
		}
		was, found, err := pg.Found(pg.One[attempt](ctx, tx, "access.kept", pg.Tenant, a.Client, a.Key))
		switch {
		case err != nil:
			return err
		case !found: // it was released in between
			claim = access.Running
		case !bytes.Equal(was.Digest, a.Digest[:]):
			claim = access.Misused
		case was.Status == nil:
			claim = access.Running
		default:
			claim = access.Answered
			answer = access.KeptAnswer{Status: int(*was.Status), Type: was.Type, Location: was.Location, Body: was.Body}
		}
		return nil
	})
	return claim, answer, err
}

// Keep stores the answer to a claimed attempt, unless another one took it over.
func (s *Access) Keep(ctx context.Context, a access.Attempt, answer access.KeptAnswer) error {
	return s.DB.InTx(ctx, "store an answer", func(tx pgx.Tx) error {
		_, err := pg.Exec(ctx, tx, "access.keep_answer", pg.Tenant, a.Client, a.Key, a.At, answer.Status, answer.Type,
			answer.Location, answer.Body)
		return err
	})
}

// Release gives up the key of an attempt that changed nothing.
func (s *Access) Release(ctx context.Context, a access.Attempt) error {
	return s.DB.InTx(ctx, "release an idempotency key", func(tx pgx.Tx) error {
		_, err := pg.Exec(ctx, tx, "access.release_key", pg.Tenant, a.Client, a.Key, a.At)
		return err
	})
}
