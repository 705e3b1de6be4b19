package book

import (
	"context"
	"strings"
	"time"
	"unicode"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/closing"
	"gpuledger/internal/store/pg"
)

// Audit appends an entry to the audit log, committed with the rest of the transaction. detail is JSON. Actor and
// subject are cut to one line each, whatever users typed as names.
func Audit(ctx context.Context, tx pgx.Tx, at time.Time, actor, action, subject, detail string) error {
	if _, err := pg.Exec(ctx, tx, "audit.lock", pg.Tenant); err != nil {
		return err
	}
	e := closing.Entry{
		At: at.UTC().Truncate(time.Microsecond).Format(AuditTime), Actor: oneLine(actor),
		Action: action, Subject: oneLine(subject), Detail: pg.CleanText(detail),
	}
	head, _, err := pg.Found(pg.One[struct {
		Number int64
		Hash   []byte
	}](ctx, tx, "audit.head", pg.Tenant))
	if err != nil {
		return err
	}
	e.Number, e.Previous = head.Number+1, append([]byte{}, head.Hash...)
	_, err = pg.Exec(ctx, tx, "audit.put", pg.Tenant, e.Number, e.At, e.Actor, e.Action, e.Subject, e.Detail, e.Previous,
		e.Hash())
	return err
}

// oneLine replaces line ends and other control characters in a text.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return '\uFFFD'
		}
		return r
	}, pg.CleanText(text))
}

// AuditTime has the precision that PostgreSQL stores.
const AuditTime = "2006-01-02T15:04:05.000000Z"
