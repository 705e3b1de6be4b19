package explain

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"
	"github.com/klauspost/compress/gzip"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// LargestEvidence bounds the unpacked evidence of one node-hour, in bytes.
const LargestEvidence = 16 << 20

// frozenEvidence reads the evidence of node-hours that was kept at closing.
func frozenEvidence(ctx context.Context, tx pgx.Tx, hours []NodeHour) (map[NodeHour]*metrics.NodeEvidence, error) {
	out := map[NodeHour]*metrics.NodeEvidence{}
	keys, times := SplitHours(hours)
	type row struct {
		NodeHour
		Document pg.PgxBytes
	}
	err := pg.Each(ctx, tx, "explain.frozen", func(r row) error {
		ev, err := unpackEvidence(r.Document)
		if err != nil {
			return fmt.Errorf("evidence of node %s at %s: %w", r.Node, r.Hour, err)
		}
		out[r.NodeHour] = ev
		return nil
	}, pg.Tenant, keys, times)
	return out, err
}

func unpackEvidence(packed []byte) (*metrics.NodeEvidence, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(r, LargestEvidence))
	if err != nil {
		return nil, err
	}
	ev := &metrics.NodeEvidence{}
	return ev, json.Unmarshal(text, ev)
}

// asFrozen gives rows the holders and the order that they had at closing, even if workloads and attempts have changed
// since.
func asFrozen(rows []keyedRow, ev *metrics.NodeEvidence) []keyedRow {
	if ev == nil || len(ev.Rows) == 0 {
		return rows
	}
	place := make(map[string]int, len(ev.Rows))
	for i := range ev.Rows {
		place[ev.Rows[i].UsageID] = i
	}
	for i := range rows {
		r := &rows[i]
		k, ok := place[r.UsageID]
		if !ok {
			r.place = len(ev.Rows) + 1
			continue
		}
		held := &ev.Rows[k]
		r.place, r.UID, r.Task = k+1, held.UID, held.Task
		r.Holder, r.RunID, r.Attempt = held.Holder, held.RunID, held.Attempt
	}
	return rows
}

// FreezeEvidence keeps the evidence that explain needs of frozen node-hours that have none yet (docs/rules.md 13.3).
// The closing transaction calls it once its rows are final. It returns how many node-hours it kept.
func FreezeEvidence(ctx context.Context, tx pgx.Tx, book policy.Book) (int64, error) {
	hours, err := pg.List[NodeHour](ctx, tx, "explain.unfrozen", pg.Tenant)
	if err != nil {
		return 0, fmt.Errorf("freeze evidence: %w", err)
	}
	const batch = 500
	months := map[period.Month]bool{}
	for from := 0; from < len(hours); from += batch {
		some := hours[from:min(from+batch, len(hours))]
		for _, at := range some {
			if m := period.MonthName(at.Hour); !months[m] {
				if _, err := tx.Exec(ctx, pg.Statement("schema.ensure_month"), "hour_evidence", at.Hour); err != nil {
					return 0, fmt.Errorf("freeze evidence: %w", err)
				}
				months[m] = true
			}
		}
		if err := freezeSome(ctx, tx, book, some); err != nil {
			return 0, fmt.Errorf("freeze evidence: %w", err)
		}
	}
	return int64(len(hours)), nil
}

func freezeSome(ctx context.Context, tx pgx.Tx, book policy.Book, hours []NodeHour) error {
	g := gatherer{tx: tx, book: book}
	found, err := g.gather(ctx, hours)
	if err != nil {
		return err
	}
	keyed, err := keyedRows(ctx, tx, hours, nobodys)
	if err != nil {
		return err
	}
	rows := make([][]any, len(hours))
	var pack packer
	for i, at := range hours {
		ev := found[at]
		ev.Source = "frozen"
		if err := heldRows(ev, keyed[at]); err != nil {
			return err
		}
		packed, digest, err := pack.evidence(ev)
		if err != nil {
			return err
		}
		rows[i] = []any{int32(pg.Tenant), [16]byte(at.Node), at.Hour.Time(), packed, digest}
	}
	_, err = tx.CopyFrom(ctx, pgx.Identifier{"hour_evidence"},
		[]string{"tenant_id", "node_id", "hour", "document", "digest"}, pgx.CopyFromRows(rows))
	return err
}

func heldRows(ev *metrics.NodeEvidence, rows []keyedRow) error {
	uid, task := map[string]string{}, map[string]string{}
	for i := range rows {
		uid[rows[i].UsageID], task[rows[i].UsageID] = rows[i].UID, rows[i].Task
	}
	var ordered metrics.NodeHour
	if err := finishRows(&ordered, rows); err != nil {
		return err
	}
	for i := range ordered.Rows {
		r := &ordered.Rows[i]
		ev.Rows = append(ev.Rows, metrics.HeldRow{
			UsageID: r.UsageID, Holder: r.Holder, UID: uid[r.UsageID], RunID: r.RunID,
			Attempt: r.Attempt, Task: task[r.UsageID], Team: pg.OrEmpty(r.Team),
		})
	}
	return nil
}

// packer packs documents with one compressor, since a compressor is large.
type packer struct{ gzip *gzip.Writer }

// evidence returns the packed document and the SHA-256 of the unpacked one.
func (p *packer) evidence(ev *metrics.NodeEvidence) (packed, digest []byte, err error) {
	text, err := json.Marshal(ev)
	if err != nil {
		return nil, nil, err
	}
	var b bytes.Buffer
	if p.gzip == nil {
		p.gzip = gzip.NewWriter(&b)
	} else {
		p.gzip.Reset(&b)
	}
	if _, err := p.gzip.Write(text); err != nil {
		return nil, nil, err
	}
	if err := p.gzip.Close(); err != nil {
		return nil, nil, err
	}
	sum := sha256.Sum256(text)
	return b.Bytes(), sum[:], nil
}

// ThawEvidence deletes the evidence of node-hours that are no longer frozen.
func ThawEvidence(ctx context.Context, tx pgx.Tx) error {
	_, err := pg.Exec(ctx, tx, "explain.thaw", pg.Tenant)
	return err
}

// SplitHours returns nodes and hours as two columns, for unnest.
func SplitHours(hours []NodeHour) ([]ledger.ID, []period.Second) {
	nodes, times := make([]ledger.ID, len(hours)), make([]period.Second, len(hours))
	for i, h := range hours {
		nodes[i], times[i] = h.Node, h.Hour
	}
	return nodes, times
}
