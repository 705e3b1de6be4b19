package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/closing"
)

// Audit appends an entry to the audit log in a transaction: it is there exactly
// when the rest of it is. detail is JSON.
func Audit(ctx context.Context, tx pgx.Tx, at time.Time, actor, action, subject, detail string) error {
	if _, err := exec(ctx, tx, "audit.lock", tenant); err != nil {
		return err
	}
	e := closing.Entry{At: at.UTC().Truncate(time.Microsecond).Format(auditTime), Actor: cleanText(actor), Action: action, Subject: cleanText(subject), Detail: cleanText(detail)}
	err := tx.QueryRow(ctx, statement("audit.head"), tenant).Scan(&e.Number, &e.Previous)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf("audit.head: %w", err)
	}
	if e.Previous == nil {
		e.Previous = []byte{}
	}
	e.Number++
	_, err = exec(ctx, tx, "audit.put", tenant, e.Number, e.At, e.Actor, e.Action, e.Subject, e.Detail, e.Previous, e.Hash())
	return err
}

// auditTime has as many digits as PostgreSQL keeps.
const auditTime = "2006-01-02T15:04:05.000000Z"
