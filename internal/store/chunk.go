package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/allocation"
	"gpuledger/internal/jobs"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// SaveChunk replaces a chunk: usage, provisional parts, postings, spans and
// history in one transaction, and drops the dirty marks up to meta.Mark. A
// chunk that is what is stored already keeps its generation and writes nothing
// but the end of the marks.
//
// The transaction does not wait for the disk: after a crash of the server a
// lost chunk has its marks back.
func (s *Store) SaveChunk(ctx context.Context, c *allocation.Chunk, meta jobs.ChunkMeta) error {
	if err := s.chunkMonths(ctx, c); err != nil {
		return err
	}
	return s.inTx(ctx, fmt.Sprintf("save node %s on %s", c.NodeID, c.Day.From), func(tx pgx.Tx) error {
		w := &chunkWriter{tx: tx, chunk: c, args: []any{tenant, c.NodeID, c.Day.From, c.Day.To}, scope: "node"}
		if c.NodeID.IsZero() {
			w.args, w.scope = []any{tenant, c.Day.From, c.Day.To}, "loose"
		}
		if _, err := exec(ctx, tx, "chunk.no_wait"); err != nil {
			return err
		}
		var stored []byte
		err := tx.QueryRow(ctx, statement("chunk.get"), tenant, c.NodeID, c.Day.From).Scan(&w.generation, &stored)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return fmt.Errorf("chunk.get: %w", err)
		}
		exists := err == nil
		w.generation++
		if err := w.encode(ctx); err != nil {
			return err
		}
		if digest := w.digest.value(); !exists || !bytes.Equal(stored, digest) {
			if err := w.replace(ctx, exists, now()); err != nil {
				return err
			}
			if _, err := exec(ctx, tx, "chunk.put", tenant, c.NodeID, c.Day.From, w.generation, meta.Calculation, digest,
				len(c.Usage), len(c.Postings), len(c.Parts), len(c.Spans)); err != nil {
				return err
			}
		}
		_, err = exec(ctx, tx, "chunk.drop_marks", tenant, c.NodeID, c.Day.From, meta.Mark)
		return err
	})
}

func (s *Store) chunkMonths(ctx context.Context, c *allocation.Chunk) error {
	for table, rows := range map[string]int{"usage": len(c.Usage), "parts": len(c.Parts), "postings": len(c.Postings), "spans": len(c.Spans)} {
		if rows == 0 {
			continue
		}
		if err := s.ensureMonths(ctx, table, c.Day.From, c.Day.To-1); err != nil {
			return err
		}
	}
	return nil
}

// chunkWriter encodes the rows of a chunk once, for the digest and for COPY.
type chunkWriter struct {
	tx         pgx.Tx
	chunk      *allocation.Chunk
	generation int64
	scope      string // of the statements: "node" or "loose", without a node
	args       []any

	usage, parts, postings, spans row
	digest                        digest
}

// encode fills the four COPY streams.
func (w *chunkWriter) encode(ctx context.Context) error {
	months := map[ledger.ID]string{}
	if len(w.chunk.Postings) > 0 {
		err := query(ctx, w.tx, "chunk."+w.scope+"_part_months", func(rows pgx.Rows) error {
			var id ledger.ID
			var month string
			err := rows.Scan(&id, &month)
			months[id] = month
			return err
		}, w.args...)
		if err != nil {
			return err
		}
	}
	c := w.chunk
	for i := range c.Usage {
		w.tuple(&w.usage, true, func(r *row) { encodeUsage(r, &c.Usage[i]) })
	}
	for i := range c.Parts {
		w.tuple(&w.parts, false, func(r *row) {
			r.begin(partFields)
			encodePart(r, &c.Parts[i], ledger.ID{}, "")
		})
	}
	for i := range c.Postings {
		w.tuple(&w.postings, true, func(r *row) { encodePosting(r, &c.Postings[i], months[c.Postings[i].PartID]) })
	}
	for i := range c.Spans {
		w.tuple(&w.spans, false, func(r *row) { encodeSpan(r, &c.Spans[i], c.Day.From) })
	}
	return nil
}

// Every tuple starts with its number of fields and the tenant; the digest is
// over the fields between those and the generation.
const tupleHead = 2 + 4 + 4

func (w *chunkWriter) tuple(r *row, generation bool, encode func(*row)) {
	if len(r.buf) == 0 {
		r.buf = append(r.buf, copyHeader...)
	}
	start := len(r.buf)
	encode(r)
	w.digest.add(r.buf[start+tupleHead:])
	if generation {
		r.int8(w.generation)
	}
}

// replace deletes what the chunk was, keeping its totals, and copies the rows in.
func (w *chunkWriter) replace(ctx context.Context, exists bool, at time.Time) error {
	if exists {
		if _, err := exec(ctx, w.tx, "chunk.history_of_"+w.scope, tenant, w.chunk.NodeID, w.chunk.Day.From, at); err != nil {
			return err
		}
		names := []string{"chunk.delete_node_postings", "chunk.delete_node_usage", "chunk.delete_node_parts", "chunk.delete_node_spans"}
		if w.scope == "loose" {
			names = []string{"chunk.delete_loose_postings"}
		}
		for _, name := range names {
			if _, err := exec(ctx, w.tx, name, w.args...); err != nil {
				return err
			}
		}
	}
	for _, c := range []struct {
		name string
		row  *row
	}{{"chunk.copy_usage", &w.usage}, {"chunk.copy_parts", &w.parts}, {"chunk.copy_postings", &w.postings}, {"chunk.copy_spans", &w.spans}} {
		if len(c.row.buf) == 0 {
			continue
		}
		c.row.buf = binary.BigEndian.AppendUint16(c.row.buf, 0xffff)
		if _, err := w.tx.Conn().PgConn().CopyFrom(ctx, bytes.NewReader(c.row.buf), statement(c.name)); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}

func encodeUsage(r *row, u *ledger.Usage) {
	r.begin(26)
	r.int4(tenant)
	r.id(u.NodeID)
	r.at(u.Hour)
	r.id(u.ID)
	r.int4(int(u.Slot))
	r.name(u.Device)
	r.slice(u.SliceID)
	r.name(u.Profile)
	r.ref(u.WorkloadID)
	r.name(u.RunID)
	r.ref(u.AttemptID)
	r.text(string(u.Cause))
	r.text(string(u.Activity))
	r.id(u.OwnerID)
	r.text(string(u.Quality))
	r.text(u.Method)
	r.int8(u.Seconds)
	r.int8(u.ActiveSeconds)
	r.integer(u.Weight.Num())
	r.integer(u.Weight.Denom())
	r.bool(u.Held)
	r.amount(u.GPUHours())
	r.amount(u.CapacityGPUHours)
	r.amount(u.ActiveGPUHours)
	r.measure(u.EnergyKWh)
}

func encodePosting(r *row, p *ledger.Posting, month string) {
	r.begin(36)
	r.int4(tenant)
	r.ref(p.NodeID)
	r.at(p.Hour)
	r.id(p.ID)
	r.id(p.PartID)
	r.ref(p.ChargeID)
	r.ref(p.RateID)
	r.int4(p.Part)
	r.ref(p.UsageID)
	r.name(month)
	r.text(string(p.Cause))
	r.name(string(p.Activity))
	r.text(string(p.Kind))
	r.ref(p.Adjusts)
	r.id(p.OwnerID)
	r.text(p.Method)
	r.text(string(p.Quality))
	r.text(p.Policy)
	r.text(p.Currency)
	r.text(string(p.State))
	r.costs(&p.Costs)
	r.measure(p.GPUHours)
	r.measure(p.CapacityGPUHours)
	r.measure(p.ActiveGPUHours)
	r.measure(p.EnergyKWh)
	if p.Slot < 0 {
		r.null()
	} else {
		r.int4(int(p.Slot))
	}
	r.name(p.Device)
	r.slice(p.SliceID)
	r.name(p.Profile)
	r.ref(p.WorkloadID)
	r.name(p.RunID)
	r.ref(p.AttemptID)
}

func encodeSpan(r *row, s *ledger.Span, day period.Second) {
	r.begin(11)
	r.int4(tenant)
	r.id(s.NodeID)
	r.at(day)
	r.int4(int(s.Slot))
	r.slice(s.SliceID)
	r.ref(s.WorkloadID)
	r.name(s.RunID)
	r.ref(s.AttemptID)
	r.text(string(s.Cause))
	r.at(s.From)
	r.at(s.To)
}

// slice is a slice id; the whole device is NULL.
func (r *row) slice(id int32) {
	if id < 0 {
		r.null()
		return
	}
	r.int4(int(id))
}
