package book

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/allocation"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/internal/store/pg"
)

// SaveChunk is SaveChunks for one chunk.
func (s *Book) SaveChunk(ctx context.Context, c *allocation.Chunk, meta posting.ChunkMeta) error {
	return s.SaveChunks(ctx, []*allocation.Chunk{c}, meta)
}

// SaveChunks replaces chunks of one node (usage, provisional parts, postings, spans and history) in one transaction. It
// drops their dirty marks up to meta.Mark and those of its calculation. A chunk equal to the stored one keeps its
// generation and only loses its marks; in a changed chunk, rows of unchanged hours stay, table by table.
//
// A chunk is refused if another process has dropped its marks, if its calculation has ended, or if it is older than the
// stored one. The other chunks are then saved, and the error is a *posting.SupersededError.
//
// The transaction does not wait for the disk: if a crash of the server loses a chunk, its marks come back too.
func (s *Book) SaveChunks(ctx context.Context, chunks []*allocation.Chunk, meta posting.ChunkMeta) error {
	if len(chunks) == 0 {
		return nil
	}
	for _, c := range chunks {
		if c.NodeID != chunks[0].NodeID {
			return fmt.Errorf("save chunks of nodes %s and %s together: one node at a time", chunks[0].NodeID, c.NodeID)
		}
		if err := s.chunkMonths(ctx, c); err != nil {
			return err
		}
	}
	err := s.saveChunks(ctx, chunks, meta)
	// The partition may be missing after all: a server crash undoes the last commits, and a session can miss a
	// partition that another one attached. Create it, or look for it, again.
	for try := 0; try < partitionTries && s.ForgetMonths(err); try++ {
		for _, c := range chunks {
			if err := s.chunkMonths(ctx, c); err != nil {
				return err
			}
		}
		err = s.saveChunks(ctx, chunks, meta)
	}
	return err
}

// partitionTries is how often a missing partition is looked for.
const partitionTries = 5

func (s *Book) saveChunks(ctx context.Context, chunks []*allocation.Chunk, meta posting.ChunkMeta) error {
	w := newChunkWriter(chunks)
	defer w.free()
	err := pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) error {
		if err := w.look(ctx, tx, meta); err != nil {
			return err
		}
		for _, c := range chunks {
			if w.claimed[c.Day.From] {
				w.encode(c)
			}
		}
		if err := w.remove(ctx, tx, pg.Now()); err != nil {
			return err
		}
		if err := w.copy(ctx, tx); err != nil {
			return err
		}
		if err := countLate(ctx, tx, chunks, w.claimed); err != nil {
			return err
		}
		return w.record(ctx, tx, meta)
	})
	if err != nil {
		return fmt.Errorf("save node %s on %s and %d more days: %w", w.node, chunks[0].Day.From, len(chunks)-1, err)
	}
	if len(w.claimed) == len(chunks) {
		return nil
	}
	superseded := &posting.SupersededError{NodeID: w.node}
	for _, d := range w.days {
		if !w.claimed[d] {
			superseded.Days = append(superseded.Days, period.DayOf(d))
		}
	}
	return superseded
}

func (s *Book) chunkMonths(ctx context.Context, c *allocation.Chunk) error {
	for t, rows := range [chunkTables]int{len(c.Usage), len(c.Parts), len(c.Postings), len(c.Spans)} {
		if rows == 0 {
			continue
		}
		if err := s.EnsureMonths(ctx, tablesOfChunk[t].Table, pg.MonthsOf(c.Day.From, c.Day.To-1)); err != nil {
			return err
		}
	}
	return nil
}

// The COPY streams of chunks, in the order of the digest.
const (
	usageRows = iota
	partRows
	postingRows
	spanRows
	chunkTables
)

// tablesOfChunk has the row of each stream and the statements that read and delete such rows.
var tablesOfChunk = [chunkTables]struct {
	*pg.Written
	read, remove string
}{
	usageRows:   {usageRow, "verify.copy_usage", "chunk.delete_node_usage"},
	partRows:    {partRow, "verify.copy_parts", "chunk.delete_node_parts"},
	postingRows: {postingRow, "verify.copy_postings", "chunk.delete_node_postings"},
	spanRows:    {spanRow, "verify.copy_spans", "chunk.delete_node_spans"},
}

// chunkRows reuses the buffers of the streams between batches.
var chunkRows = sync.Pool{New: func() any { return new([chunkTables]pg.Row) }}

// chunkWriter encodes the rows of chunks of one node once, for both the digest and COPY.
type chunkWriter struct {
	node  ledger.ID
	scope string          // of the statements: "node", or "loose" for chunks without a node
	days  []period.Second // ascending
	rows  *[chunkTables]pg.Row

	claimed map[period.Second]bool // days whose marks this process dropped
	stored  map[period.Second]storedChunk
	bills   map[ledger.ID]billOfPart
	terms   termsBook

	starts [chunkTables][]chunkRow // rows of the chunk being encoded

	replaced []period.Second              // days whose stored rows are replaced
	stale    [chunkTables][]period.Second // the changed hours of those days
	changed  changedChunks
	replaces estimates
}

// billOfPart is the billing account and period on which a part is posted.
type billOfPart struct{ account, month string }

// storedChunk has the stored generation of a chunk.
type storedChunk struct {
	Generation int64
	Digest     []byte
	Hours      []byte // its hourSums
	Estimated  int32  // a bit for each hour with a kept estimate
}

// changedChunks are the columns of the chunk rows to write.
type changedChunks struct {
	days                            []period.Second
	generations                     []int64
	digests, hours                  [][]byte
	usage, postings, parts, spanned []int32
}

func newChunkWriter(chunks []*allocation.Chunk) *chunkWriter {
	w := &chunkWriter{node: chunks[0].NodeID, scope: "node",
		rows:    chunkRows.Get().(*[chunkTables]pg.Row), //nolint:forcetypeassert // the pool holds only these
		claimed: map[period.Second]bool{}, stored: map[period.Second]storedChunk{}, bills: map[ledger.ID]billOfPart{},
		terms: termsBook{numbers: map[terms]int64{}}}
	if w.node.IsZero() {
		w.scope = "loose"
	}
	for i := range w.rows {
		w.rows[i].Buf = append(w.rows[i].Buf[:0], pg.CopyHeader...)
	}
	for _, c := range chunks {
		w.days = append(w.days, c.Day.From)
	}
	slices.Sort(w.days)
	return w
}

func (w *chunkWriter) free() { chunkRows.Put(w.rows) }

func hoursOfDays(days []period.Second) []period.Second {
	hours := make([]period.Second, 0, 24*len(days))
	for _, d := range days {
		for h := d; h < d+period.Day; h += period.Hour {
			hours = append(hours, h)
		}
	}
	return hours
}

// look drops the marks of the chunks, reads and locks the stored chunks, and reads the billing periods of their parts.
func (w *chunkWriter) look(ctx context.Context, tx pgx.Tx, meta posting.ChunkMeta) error {
	b := &pgx.Batch{}
	b.Queue(pg.Statement("chunk.no_wait"), cmp.Or(meta.Worker, meta.Calculation.String()))
	b.Queue(pg.Statement("chunk.claim"), pg.Tenant, w.node, w.days, meta.Mark, meta.Calculation).
		Query(pg.Rows(func(r struct{ Day period.Second }) error {
			w.claimed[r.Day] = true
			return nil
		}))
	b.Queue(pg.Statement("chunk.get"), pg.Tenant, w.node, w.days).Query(pg.Rows(func(r struct {
		Day period.Second
		storedChunk
	}) error {
		w.stored[r.Day] = r.storedChunk
		return nil
	}))
	args := []any{pg.Tenant, w.node, w.days[0], w.days[len(w.days)-1] + period.Day}
	if w.node.IsZero() {
		args = append(args[:1], args[2:]...)
	}
	b.Queue(pg.Statement("chunk."+w.scope+"_part_months"), args...).Query(pg.Rows(func(r struct {
		PartID                        ledger.ID
		BillingPeriod, BillingAccount string
	}) error {
		w.bills[r.PartID] = billOfPart{r.BillingAccount, r.BillingPeriod}
		return nil
	}))
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("chunk.get: %w", err)
	}
	return nil
}

// Each tuple begins with its number of fields and the tenant. The digest covers the fields from there to the
// generation.
const tupleHead = 2 + 4 + 4

// encode appends the rows of a chunk to the streams, unless they equal the stored rows.
func (w *chunkWriter) encode(c *allocation.Chunk) {
	old, exists := w.stored[c.Day.From]
	var d pg.Digest
	var starts [chunkTables]int
	for i := range w.rows {
		starts[i], w.starts[i] = len(w.rows[i].Buf), w.starts[i][:0]
	}
	var sums hourSums
	add := func(table int, at period.Second, encode func(*pg.Row)) *pg.Row {
		r, hour := &w.rows[table], hourOfDay(c.Day.From, at)
		start := len(r.Buf)
		w.starts[table] = append(w.starts[table], chunkRow{start, hour})
		tablesOfChunk[table].Begin(r)
		encode(r)
		sums[table][hour] += d.Add(r.Buf[start+tupleHead:])
		return r
	}
	for i := range c.Usage {
		u := &c.Usage[i]
		add(usageRows, u.Hour, func(r *pg.Row) { encodeUsage(r, u) }).Int8(old.Generation + 1)
	}
	for i := range c.Parts {
		p := &c.Parts[i]
		add(partRows, p.Hour, func(r *pg.Row) { encodePart(r, p, ledger.ID{}, "") }).Text(string(ledger.Direct))
	}
	for i := range c.Postings {
		p := &c.Postings[i]
		terms := w.terms.of(p, w.bills[p.PartID])
		add(postingRows, p.Hour, func(r *pg.Row) { encodePosting(r, p, terms) }).Int8(old.Generation + 1)
	}
	for i := range c.Spans {
		s := &c.Spans[i]
		add(spanRows, s.From, func(r *pg.Row) { encodeSpan(r, s, c.Day.From) })
	}
	sum := d.Value()
	if exists && bytes.Equal(old.Digest, sum) {
		for i := range w.rows {
			w.rows[i].Buf = w.rows[i].Buf[:starts[i]]
		}
		return
	}
	if exists {
		w.replaced = append(w.replaced, c.Day.From)
		w.keepChanged(c.Day.From, sumsOf(old.Hours, old.Digest), &sums)
		w.replaces.compare(c, old.Estimated, w.stale[postingRows])
	}
	n := &w.changed
	n.days, n.generations = append(n.days, c.Day.From), append(n.generations, old.Generation+1)
	n.digests, n.hours = append(n.digests, sum), append(n.hours, sums.stored(sum))
	n.usage, n.postings = append(n.usage, int32(len(c.Usage))), append(n.postings, int32(len(c.Postings)))
	n.parts, n.spanned = append(n.parts, int32(len(c.Parts))), append(n.spanned, int32(len(c.Spans)))
}

// remove deletes the rows of replaced chunks in the changed hours and keeps their totals as history.
func (w *chunkWriter) remove(ctx context.Context, tx pgx.Tx, at time.Time) error {
	if len(w.replaced) == 0 {
		return nil
	}
	b := &pgx.Batch{}
	b.Queue(pg.Statement("chunk.history_of_"+w.scope), pg.Tenant, w.node, w.replaced, at, hoursOfDays(w.replaced))
	w.replaces.keep(b, w.node)
	for t, hours := range w.stale {
		switch {
		case len(hours) == 0:
		case w.node.IsZero():
			if t == postingRows {
				b.Queue(pg.Statement("chunk.delete_loose_postings"), pg.Tenant, hours)
			}
		case t == spanRows:
			b.Queue(pg.Statement(tablesOfChunk[t].remove), pg.Tenant, w.node, hours, w.replaced)
		default:
			b.Queue(pg.Statement(tablesOfChunk[t].remove), pg.Tenant, w.node, hours)
		}
	}
	if err := tx.SendBatch(ctx, b).Close(); err != nil {
		return fmt.Errorf("replace chunks: %w", err)
	}
	return nil
}

// copy sends the rows of all changed chunks, one stream per table.
func (w *chunkWriter) copy(ctx context.Context, tx pgx.Tx) error {
	if len(w.rows[postingRows].Buf) > len(pg.CopyHeader) {
		if err := w.terms.put(ctx, tx); err != nil {
			return err
		}
	}
	for i := range w.rows {
		r := &w.rows[i]
		if len(r.Buf) == len(pg.CopyHeader) {
			continue
		}
		r.Buf = binary.BigEndian.AppendUint16(r.Buf, 0xffff)
		t := tablesOfChunk[i]
		if _, err := tx.Conn().PgConn().CopyFrom(ctx, bytes.NewReader(r.Buf), t.Copy(t.Table)); err != nil {
			return fmt.Errorf("copy %s: %w", t.Table, err)
		}
	}
	return nil
}

// record writes the new generations and marks the days for analysis.
func (w *chunkWriter) record(ctx context.Context, tx pgx.Tx, meta posting.ChunkMeta) error {
	if len(w.claimed) > 0 {
		if _, err := pg.Exec(ctx, tx, "chunk.mark_analysis", pg.Tenant, slices.Sorted(maps.Keys(w.claimed))); err != nil {
			return err
		}
	}
	n := &w.changed
	if len(n.days) == 0 {
		return nil
	}
	_, err := pg.Exec(ctx, tx, "chunk.put", pg.Tenant, w.node, meta.Calculation, meta.Mark,
		n.days, n.generations, n.digests, n.usage, n.postings, n.parts, n.spanned, n.hours)
	return err
}
