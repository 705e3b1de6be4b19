package book

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// terms are what many postings have in common: whose bill they are on, why, and
// how far they are settled. A ledger has hundreds of them, so a posting names
// them by a number.
type terms struct {
	bill     billOfPart
	settles  string // empty where no closing makes them final
	cause    ledger.Cause
	activity ledger.Activity
	kind     ledger.PostingKind
	method   string
	quality  ledger.Quality
	policy   string
	currency string
	state    ledger.State // as it was posted: provisional or open
}

// termsOf are the terms of a posting whose part is on bill.
func termsOf(p *ledger.Posting, bill billOfPart) terms {
	t := terms{bill: bill, settles: bill.month, cause: p.Cause, activity: p.Activity, kind: p.Kind,
		method: p.Method, quality: p.Quality, policy: p.Policy, currency: p.Currency, state: p.State}
	// What amortises in later hours is closed with the period of its hours (rule 13.3).
	if p.Kind == ledger.Amortise && bill.month != "" {
		t.settles = max(bill.month, string(period.MonthName(p.Hour)))
	}
	return t
}

// columns are the terms in the order of posting_terms, but for the period that
// closing moves.
func (t *terms) columns() [11]string {
	return [...]string{t.bill.account, t.bill.month, t.settles, string(t.cause), string(t.activity), string(t.kind),
		t.method,
		string(t.quality), t.policy, t.currency, string(t.state)}
}

// id is the number of the terms: the first 64 bits of the hash of what they say,
// so that nobody has to be asked for it.
func (t *terms) id() int64 {
	var room [512]byte
	text := ledger.AppendIDPart(room[:0], "terms")
	for _, c := range t.columns() {
		text = ledger.AppendIDPart(text, c)
	}
	sum := ledger.HashID(text)
	return int64(binary.BigEndian.Uint64(sum[:8]))
}

// termsBook numbers the terms of the postings that are being written.
type termsBook struct {
	numbers map[terms]int64
	last    terms // most postings have those of the one before
	number  int64
}

func (b *termsBook) of(p *ledger.Posting, bill billOfPart) int64 {
	t := termsOf(p, bill)
	if t == b.last {
		return b.number
	}
	number, ok := b.numbers[t]
	if !ok {
		number = t.id()
		b.numbers[t] = number
	}
	b.last, b.number = t, number
	return number
}

// put writes the terms that are not there yet, in ascending order, as all do, so
// that two that write the same ones never wait for each other.
func (b *termsBook) put(ctx context.Context, tx pgx.Tx) error {
	if len(b.numbers) == 0 {
		return nil
	}
	byNumber := make(map[int64]terms, len(b.numbers))
	for t, number := range b.numbers {
		byNumber[number] = t
	}
	if len(byNumber) < len(b.numbers) {
		return fmt.Errorf("%d terms of postings have only %d numbers", len(b.numbers), len(byNumber))
	}
	numbers := slices.Sorted(maps.Keys(byNumber))
	var columns [11][]string
	for _, number := range numbers {
		t := byNumber[number]
		for i, c := range t.columns() {
			columns[i] = append(columns[i], c)
		}
	}
	args := []any{pg.Tenant, numbers}
	for _, c := range columns {
		args = append(args, c)
	}
	_, err := pg.Exec(ctx, tx, "chunk.put_terms", args...)
	return err
}

// ChangedTerms names the terms that say something else than what was posted:
// their number is no longer that of what they say. Closing changes the state
// and, of what amortises, the period, which do not count.
func ChangedTerms(ctx context.Context, tx pgx.Tx) ([]string, error) {
	var changed []string
	err := pg.Query(ctx, tx, "chunk.terms", func(rows pgx.Rows) error {
		var number int64
		var t terms
		err := rows.Scan(&number, &t.bill.account, &t.bill.month, &t.settles, &t.cause, &t.activity, &t.kind, &t.method,
			&t.quality, &t.policy, &t.currency, &t.state)
		if t.state == ledger.Final {
			t.state = ledger.Open // before it was closed
		}
		if err == nil && t.id() != number {
			changed = append(changed,
				fmt.Sprintf("terms_id=%d cause=%s method=%s: the terms are not those that were written", number, t.cause, t.method))
		}
		return err
	}, pg.Tenant)
	return changed, err
}
