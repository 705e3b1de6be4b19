package book

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/closing"
	"gpuledger/internal/store/pg"
)

// Audit appends an entry to the audit log in a transaction: it is there exactly
// when the rest of it is. detail is JSON. Who and what stand on one line each, whatever
// somebody typed as his name.
func Audit(ctx context.Context, tx pgx.Tx, at time.Time, actor, action, subject, detail string) error {
	if _, err := pg.Exec(ctx, tx, "audit.lock", pg.Tenant); err != nil {
		return err
	}
	e := closing.Entry{At: at.UTC().Truncate(time.Microsecond).Format(AuditTime), Actor: oneLine(actor), Action: action, Subject: oneLine(subject), Detail: pg.CleanText(detail)}
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

// oneLine is a text without line ends and other control characters.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return '\uFFFD'
		}
		return r
	}, pg.CleanText(text))
}

// AuditTime has as many digits as PostgreSQL keeps.
const AuditTime = "2006-01-02T15:04:05.000000Z"
