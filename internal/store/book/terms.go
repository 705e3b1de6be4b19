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

// terms are the attributes that many postings have in common: the bill, the reasons, and the state of settlement. A
// ledger has hundreds of different terms, so a posting refers to them by a number.
type terms struct {
	bill     billOfPart
	settles  string // empty if no closing makes them final
	cause    ledger.Cause
	activity ledger.Activity
	kind     ledger.PostingKind
	method   string
	quality  ledger.Quality
	policy   string
	currency string
	state    ledger.State // as posted: provisional or open
}

// termsOf are the terms of a posting whose part is on bill.
func termsOf(p *ledger.Posting, bill billOfPart) terms {
	t := terms{bill: bill, settles: bill.month, cause: p.Cause, activity: p.Activity, kind: p.Kind,
		method: p.Method, quality: p.Quality, policy: p.Policy, currency: p.Currency, state: p.State}
	// A fee that amortises in later hours is in the period of its hours, and closes with it (rule 13.3).
	if p.Kind == ledger.Amortise && bill.month != "" {
		t.settles = max(bill.month, string(period.MonthName(p.Hour)))
	}
	return t
}

// columns are the terms in the order of posting_terms, without the period that closing changes.
func (t *terms) columns() [11]string {
	return [...]string{t.bill.account, t.bill.month, t.settles, string(t.cause), string(t.activity), string(t.kind),
		t.method,
		string(t.quality), t.policy, t.currency, string(t.state)}
}

// id is the number of the terms: the first 64 bits of the hash of their content, so that it needs no look-up.
func (t *terms) id() int64 {
	var room [512]byte
	text := ledger.AppendIDPart(room[:0], "terms")
	for _, c := range t.columns() {
		text = ledger.AppendIDPart(text, c)
	}
	sum := ledger.HashID(text)
	return int64(binary.BigEndian.Uint64(sum[:8]))
}

// termsBook numbers the terms of the postings being written.
type termsBook struct {
	numbers map[terms]int64
	last    terms // most postings have the terms of the previous one
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

// put writes the missing terms. All writers use ascending order, so that two writers of the same terms do not deadlock.
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

// ChangedTerms lists terms that differ from those posted: their number is not that of their content. It ignores the
// state, and the period of amortised fees, which closing changes.
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
				fmt.Sprintf("terms_id=%d cause=%s method=%s: the terms have changed since they were written",
					number, t.cause, t.method))
		}
		return err
	}, pg.Tenant)
	return changed, err
}
