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

// Audit appends an entry to the audit log in a transaction: it is there exactly
// when the rest of it is. detail is JSON. Who and what stand on one line each, whatever
// somebody typed as his name.
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
