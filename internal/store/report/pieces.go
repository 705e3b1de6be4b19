package report

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5/pgconn"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// An export is read in pieces of time, in the order of its hours: the server sorts each piece in memory and sends the
// first rows at once, and the next piece is read while this one is written.

const (
	pieceRows    = 32 << 10 // that pieces should have
	piecesAhead  = 1        // pieces in memory, in addition to the ones that are read and written
	mostLookedUp = 50_000   // values of a lead that are remembered
)

// A piece is in pages: a slice of all of it would be copied again and again while it grows. A page has room for a row.
var (
	pageBytes = 1 << 20
	leastRow  = 4 << 10
)

// pieces are the rows of an answer, piece by piece. They are rawRows.
type pieces struct {
	ready chan *block
	used  chan *block // blocks whose memory is free
	quit  func()
	rows  *reportRows
	now   *block
	page  int // of it
	at    int // in the page
	left  int // its rows
	raw   [][]byte
	err   error
}

// block is a piece in memory.
type block struct {
	fields []pgconn.FieldDescription
	rows   int
	pages  [][]byte                     // whole rows; of each cell its length as 32 bits, -1 for NULL, and its bytes
	found  []map[string][]metrics.Value // by lead, the columns of keys that no earlier block had
	again  []bool                       // found replaces what earlier blocks had
	err    error
}

// inPieces answers q from a transaction, which must not be used until the rows are closed.
func inPieces(ctx context.Context, on pg.Querier, q metrics.Query, leads []lead) (*reportRows, error) {
	stored, err := pg.One[struct{ First, End *period.Second }](ctx, on, "rollup.stored", pg.Tenant)
	if err != nil {
		return nil, fmt.Errorf("report %s: %w", q.Dataset.Name, err)
	}
	quit := make(chan struct{})
	p := &pieces{ready: make(chan *block, piecesAhead), used: make(chan *block, piecesAhead),
		quit: sync.OnceFunc(func() { close(quit) })}
	p.rows = newReportRows(q.Dataset.Name, q.Columns(), leads, p)
	r := &pieceReader{on: on, q: q, leads: leads, to: p, quit: quit, seen: make([]map[string]bool, len(leads))}
	for i := range r.seen {
		r.seen[i] = map[string]bool{}
	}
	p.raw = make([][]byte, len(p.rows.own.at)+len(leads))
	if stored.First != nil {
		r.stored = period.Interval{From: *stored.First, To: *stored.End}
	}
	go func() {
		defer close(p.ready)
		if err := r.readAll(ctx); err != nil {
			r.pass(&block{err: err})
		}
	}()
	return p.rows, nil
}

// Next implements rawRows.
func (p *pieces) Next() bool {
	for p.left == 0 {
		if p.now != nil {
			select {
			case p.used <- p.now:
			default:
			}
			p.now = nil
		}
		b, more := <-p.ready
		if !more {
			return false
		}
		if p.err = b.err; p.err != nil {
			return false
		}
		p.now, p.page, p.at, p.left = b, 0, 0, b.rows
		for i, l := range p.rows.leads {
			l.learn(b.found[i], b.again[i])
		}
		b.found = nil // the leads have it, and the block stays in memory
	}
	p.left--
	if p.at == len(p.now.pages[p.page]) {
		p.page, p.at = p.page+1, 0
	}
	cells := p.now.pages[p.page]
	for i := range p.raw {
		n := int32(binary.BigEndian.Uint32(cells[p.at:]))
		p.at += 4
		if n < 0 {
			p.raw[i] = nil
			continue
		}
		p.raw[i] = cells[p.at : p.at+int(n) : p.at+int(n)]
		p.at += int(n)
	}
	return true
}

// RawValues implements rawRows.
func (p *pieces) RawValues() [][]byte { return p.raw }

// FieldDescriptions implements rawRows.
func (p *pieces) FieldDescriptions() []pgconn.FieldDescription { return p.now.fields }

// Err implements rawRows.
func (p *pieces) Err() error { return p.err }

// Close implements rawRows. It waits until the transaction is free.
func (p *pieces) Close() {
	p.quit()
	p.now, p.left = nil, 0
	for range p.ready { //nolint:revive // until the reader has ended
	}
}

// pieceReader reads pieces from a transaction, one after another.
type pieceReader struct {
	on     pg.Querier
	q      metrics.Query
	leads  []lead
	to     *pieces
	quit   chan struct{}
	seen   []map[string]bool // keys that were looked up, by lead
	stored period.Interval   // the hours that have rows; empty: nothing is stored
	free   [][]byte          // pages to use again
	widest int               // bytes of a row
}

// readAll reads the window. Pieces follow the stored hours; the first and the last reach to the ends of the window.
func (r *pieceReader) readAll(ctx context.Context) error {
	window := r.q.Window
	end := r.stored.To
	if window.To != 0 {
		end = min(end, window.To)
	}
	at, step := max(r.stored.From, window.From), period.Second(period.Hour)
	for span, last := window, false; !last; span.From = at {
		at += step
		last = at >= end
		if span.To = at; last {
			span.To = window.To
		}
		b, err := r.read(ctx, span)
		if err != nil {
			return err
		}
		switch rows := b.rows; { // if hours are alike, the next piece has as many rows as it should
		case rows < pieceRows/2:
			step *= 2
		case rows > pieceRows:
			step = max(step/2, period.Hour)
		}
		if !r.pass(b) {
			return nil
		}
	}
	return nil
}

// pass hands a block over; false: the reader has quit.
func (r *pieceReader) pass(b *block) bool {
	select {
	case r.to.ready <- b:
		return true
	case <-r.quit:
		return false
	}
}

// read reads one piece.
func (r *pieceReader) read(ctx context.Context, span period.Interval) (*block, error) {
	b := r.block()
	c := Asking(r.q, nil).over(span)
	c.sees.inPart = access.From(ctx).Bounded()
	text := c.answer(r.leads)
	rows, err := r.on.Query(ctx, text, c.Args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	missing := make([][]string, len(r.leads))
	own := len(r.to.raw) - len(r.leads)
	var page []byte
	for rows.Next() {
		b.rows++
		raw := rows.RawValues()
		if cap(page)-len(page) < max(r.widest, leastRow) {
			b.keep(page)
			page = r.page()
		}
		began := len(page)
		for _, cell := range raw {
			if cell == nil {
				page = append(page, 0xff, 0xff, 0xff, 0xff)
				continue
			}
			page = append(binary.BigEndian.AppendUint32(page, uint32(len(cell))), cell...)
		}
		r.widest = max(r.widest, len(page)-began)
		for i, key := range raw[own:] {
			if key != nil && !r.seen[i][string(key)] {
				name := string(key)
				r.seen[i][name] = true
				missing[i] = append(missing[i], name)
			}
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	b.keep(page)
	b.fields = slices.Clone(rows.FieldDescriptions())
	for i, l := range r.leads {
		if b.found[i], err = r.lookUp(ctx, l, missing[i]); err != nil {
			return nil, err
		}
		if len(r.seen[i]) > mostLookedUp {
			clear(r.seen[i])
		}
	}
	return b, nil
}

// block is an empty block.
func (r *pieceReader) block() *block {
	b := &block{found: make([]map[string][]metrics.Value, len(r.leads)), again: make([]bool, len(r.leads))}
	select {
	case used := <-r.to.used:
		r.free = append(r.free, used.pages...)
	default:
	}
	for i := range r.leads {
		b.again[i] = len(r.seen[i]) == 0
	}
	return b
}

// keep adds a page that has rows.
func (b *block) keep(page []byte) {
	if len(page) > 0 {
		b.pages = append(b.pages, page)
	}
}

// page is an empty page.
func (r *pieceReader) page() []byte {
	if last := len(r.free) - 1; last >= 0 {
		page := r.free[last][:0]
		r.free = r.free[:last]
		return page
	}
	return make([]byte, 0, pageBytes)
}

// lookUp finds the columns of keys of a lead.
func (r *pieceReader) lookUp(ctx context.Context, l lead, keys []string) (map[string][]metrics.Value, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	cols := l.shown(r.to.rows.cols)
	rows, err := r.on.Query(ctx, l.lookUp(cols), keysOf(keys))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	places := make([]int, len(cols))
	for i := range places {
		places[i] = i
	}
	d := newDecoder(cols, places)
	found := make(map[string][]metrics.Value, len(keys))
	for rows.Next() {
		if err := d.check(rows.FieldDescriptions()[1:]); err != nil {
			return nil, err
		}
		raw, values := rows.RawValues(), make([]metrics.Value, len(cols))
		if err := d.decode(raw[1:], values); err != nil {
			return nil, err
		}
		found[string(raw[0])] = values
	}
	return found, rows.Err()
}

// keysOf are keys in binary form as a parameter.
func keysOf(keys []string) any {
	if len(keys[0]) == 8 {
		numbers := make([]int64, len(keys))
		for i, key := range keys {
			numbers[i] = int64(binary.BigEndian.Uint64([]byte(key)))
		}
		return numbers
	}
	ids := make([]ledger.ID, len(keys))
	for i, key := range keys {
		ids[i] = ledger.ID([]byte(key))
	}
	return ids
}
