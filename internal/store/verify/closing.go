package verify

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"iter"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/closing"
	"gpuledger/internal/period"
	"gpuledger/internal/store/book"
	"gpuledger/internal/store/pg"
)

// ofClosing checks closed periods (docs/rules.md, section 13). Chains are checked whole, for any hours.
func ofClosing(hours period.Interval, month *string) []invariant {
	return []invariant{
		{"closed rows", "the rows of each closed period are those that were closed", CheckFailed,
			func(ctx context.Context, tx pgx.Tx) ([]string, error) { return checkFinalRows(ctx, tx, hours, month) }},
		{"statements", "the lines and the document of each statement have its digest", CheckFailed,
			func(ctx context.Context, tx pgx.Tx) ([]string, error) { return checkStatements(ctx, tx, month) }},
		byStatement("lines of statements",
			"the lines of each statement add up to its postings and pairs, by owner, cause and kind",
			"verify.statement_lines", pg.Tenant, month),
		{"chain of statements", "the statements form an unbroken chain without gaps", CheckFailed,
			func(ctx context.Context, tx pgx.Tx) ([]string, error) {
				return closing.CheckChain(statementChain(ctx, tx), closing.Link{})
			}},
		{"audit log", "the entries form an unbroken chain: no entry is changed or missing", CheckFailed, checkAudit},
		byStatement("closed and adjusted",
			"closed amounts plus their adjustments equal the current bills, by account, period, currency and metric",
			"verify.closed_adjusted", pg.Tenant, month),
		byStatement("adjustments", "each posting that adjusts another names a final one of the same hour", "verify.adjusts",
			pg.Tenant, hours.From, hours.To),
	}
}

// few shortens the list to the rows that are shown.
func few(found []string) []string {
	if len(found) > shown {
		return append(found[:shown:shown], fmt.Sprintf("and %d more", len(found)-shown))
	}
	return found
}

// checkFinalRows compares final rows with their digests in statements. Rows outside the hours are neither read nor
// required.
func checkFinalRows(ctx context.Context, tx pgx.Tx, hours period.Interval, month *string) ([]string, error) {
	got, err := book.FinalDigests(ctx, tx, "", "", hours)
	if err != nil {
		return nil, err
	}
	var bad []string
	var keys []book.FinalKey
	type chunk struct {
		book.FinalKey
		Digest   []byte
		Closed   int64 // rows
		Reopened bool
	}
	err = pg.Each(ctx, tx, "verify.statement_chunks", func(c chunk) error {
		k := c.FinalKey
		d := got[k]
		delete(got, k)
		if c.Reopened { // usage rows may remain in hours that other accounts froze too
			return nil
		}
		if d == nil {
			d = &pg.Digest{}
		}
		if !bytes.Equal(d.Value(), c.Digest) {
			bad = append(bad, fmt.Sprintf("billing_account=%s billing_period=%s what=%s node_id=%s day=%s rows=%d: not the "+
				"%d rows that were closed",
				k.Account, k.Month, k.What, k.Node, k.Day, d.Rows, c.Closed))
			keys = append(keys, k)
		}
		return nil
	}, pg.Tenant, hours.From, hours.To)
	for k, d := range got {
		if month == nil || k.Month == *month {
			bad = append(bad, fmt.Sprintf("billing_account=%s billing_period=%s what=%s node_id=%s day=%s rows=%d: final "+
				"without a statement", k.Account, k.Month, k.What, k.Node, k.Day, d.Rows))
		}
	}
	if err != nil {
		return nil, err
	}
	bad = few(bad)
	for _, k := range keys[:min(len(keys), shown)] {
		if k.What != "rows" {
			continue // verify.share_weights names pairs
		}
		named, err := nameChanged(ctx, tx, k.Node, k.Day)
		if err != nil {
			return nil, err
		}
		bad = append(bad, named...)
	}
	return bad, nil
}

// checkStatements writes every statement again and compares it with the stored one.
func checkStatements(ctx context.Context, tx pgx.Tx, month *string) ([]string, error) {
	list, err := pg.List[struct {
		book.StatementKey
		Digest, RowsDigest []byte
		Lines              int64
	}](ctx, tx, "verify.statements", pg.Tenant, month)
	if err != nil {
		return nil, err
	}
	var bad []string
	for _, s := range list {
		head, err := book.StatementHead(ctx, tx, s.StatementKey)
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("billing_account=%s billing_period=%s version=%d", s.BillingAccount, s.BillingPeriod, s.Version)
		written, err := closing.Write(io.Discard, head,
			book.Lines(ctx, tx, "statement.lines", pg.Tenant, s.BillingAccount, string(s.BillingPeriod), s.Version))
		switch {
		case err != nil:
			bad = append(bad, fmt.Sprintf("%s: %v", name, err))
		case !bytes.Equal(written.Digest[:], s.Digest) || written.Lines != s.Lines:
			line, err := changedLine(ctx, tx, s.StatementKey, head)
			if err != nil {
				return nil, err
			}
			bad = append(bad, fmt.Sprintf("%s lines=%d: the lines are not the %d that were closed%s", name, written.Lines,
				s.Lines, line))
		}
		packed, err := document(ctx, tx, s.StatementKey)
		if err != nil {
			return nil, err
		}
		if text, err := book.Unpack(packed); err != nil {
			bad = append(bad, fmt.Sprintf("%s: the document cannot be read: %v", name, err))
		} else if sum := sha256.Sum256(text); !bytes.Equal(sum[:], s.Digest) {
			bad = append(bad, name+": the document is not the one that was closed")
		}
		rows, err := statementRows(ctx, tx, s.StatementKey)
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(rows, s.RowsDigest) {
			bad = append(bad, name+": its digests of rows were changed")
		}
	}
	return few(bad), nil
}

// document is the stored document of a statement, packed.
func document(ctx context.Context, tx pgx.Tx, k book.StatementKey) ([]byte, error) {
	return pg.Value[[]byte](ctx, tx, "statement.document", pg.Tenant, k.BillingAccount, string(k.BillingPeriod), k.Version)
}

// statementRows digests statement_chunks as closing did.
func statementRows(ctx context.Context, tx pgx.Tx, k book.StatementKey) ([]byte, error) {
	h := sha256.New()
	type chunk struct {
		What string
		book.ChunkKey
		Digest []byte
	}
	err := pg.Each(ctx, tx, "verify.chunks_of_statement", func(c chunk) error {
		_, _ = fmt.Fprintf(h, "%s %s %d %x\n", c.What, c.Node, c.Day, c.Digest)
		return nil
	}, pg.Tenant, k.BillingAccount, string(k.BillingPeriod), k.Version)
	return h.Sum(nil), err
}

// statementChain computes the chain of statements from their contents.
func statementChain(ctx context.Context, tx pgx.Tx) iter.Seq2[closing.Link, error] {
	return links(ctx, tx, "verify.statement_chain", func(s closing.Statement) closing.Link {
		l := closing.Link{Number: s.Number, Previous: s.Previous, Stored: s.Chain}
		s.Seal(l.Previous)
		l.Computed = s.Chain
		return l
	})
}

func checkAudit(ctx context.Context, tx pgx.Tx) ([]string, error) {
	head, _, err := pg.Found(pg.One[struct {
		Number int64
		Hash   []byte
	}](ctx, tx, "verify.audit_head", pg.Tenant))
	if err != nil {
		return nil, err
	}
	type entry struct {
		Number                         int64
		At                             time.Time
		Actor, Action, Subject, Detail string
		Previous, Hash                 []byte
	}
	found, err := closing.CheckChain(links(ctx, tx, "verify.audit_log", func(r entry) closing.Link {
		e := closing.Entry{Number: r.Number, At: r.At.Format(book.AuditTime), Actor: r.Actor, Action: r.Action,
			Subject: r.Subject,
			Detail:  r.Detail, Previous: r.Previous}
		return closing.Link{Number: r.Number, Previous: r.Previous, Stored: r.Hash, Computed: e.Hash()}
	}), closing.Link{Number: head.Number, Stored: head.Hash})
	return few(found), err
}

// links streams the elements of a chain.
func links[T any](
	ctx context.Context, tx pgx.Tx, name string, link func(T) closing.Link,
) iter.Seq2[closing.Link, error] {
	return func(yield func(closing.Link, error) bool) {
		stopped := false
		err := pg.Each(ctx, tx, name, func(row T) error {
			stopped = stopped || !yield(link(row), nil)
			return nil
		}, pg.Tenant)
		if err != nil && !stopped {
			yield(closing.Link{}, err)
		}
	}
}
