package book

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/closing"
	"gpuledger/internal/store/pg"
)

// Audit appends an entry to the audit log in a transaction: it is there exactly
// when the rest of it is. detail is JSON.
func Audit(ctx context.Context, tx pgx.Tx, at time.Time, actor, action, subject, detail string) error {
	if _, err := pg.Exec(ctx, tx, "audit.lock", pg.Tenant); err != nil {
		return err
	}
	e := closing.Entry{At: at.UTC().Truncate(time.Microsecond).Format(AuditTime), Actor: pg.CleanText(actor), Action: action, Subject: pg.CleanText(subject), Detail: pg.CleanText(detail)}
	err := tx.QueryRow(ctx, pg.Statement("audit.head"), pg.Tenant).Scan(&e.Number, &e.Previous)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf("audit.head: %w", err)
	}
	if e.Previous == nil {
		e.Previous = []byte{}
	}
	e.Number++
	_, err = pg.Exec(ctx, tx, "audit.put", pg.Tenant, e.Number, e.At, e.Actor, e.Action, e.Subject, e.Detail, e.Previous, e.Hash())
	return err
}

// AuditTime has as many digits as PostgreSQL keeps.
const AuditTime = "2006-01-02T15:04:05.000000Z"
