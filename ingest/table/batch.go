package table

import (
	"context"
	"math/bits"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Hash is a 128-bit hash of a value, or the sum of several.
type Hash struct{ Hi, Lo uint64 }

// Plus is the sum modulo 2^128.
func (h Hash) Plus(o Hash) Hash {
	lo, carry := bits.Add64(h.Lo, o.Lo, 0)
	hi, _ := bits.Add64(h.Hi, o.Hi, carry)
	return Hash{hi, lo}
}

// Form is how values of a column are compared between files.
type Form byte

// Forms.
const (
	Text   Form = iota // verbatim
	Number             // as a decimal without superfluous zeros
	Time               // as an instant
	Pairs              // as a set of pairs
)

// Want announces the calls for a column, so that they are computed once per distinct value and
// not once per row.
type Want struct {
	Pos  int
	Form Form // Number, Instant or Pairs will be called
	Raw  bool // Raw will be called
	// Hash, if not nil, is called for each value of the column and summed up in Prepared.Hash. It
	// may read only the value at pos, which may be null. It runs in another goroutine than Each,
	// one call at a time. A value with an error still adds its hash.
	Hash func(r Row, pos int) (Hash, *CellError)
}

// Preparer is implemented by tables that read columns before rows.
type Preparer interface {
	// Prepare is called before Each with the wanted values, which are only a hint except for
	// Want.Hash; it replaces Select. It returns whether rows will be Prepared: not all files can
	// be read so.
	Prepare(wants []Want) bool
}

// Prepared is implemented by the rows of a table after Prepare.
type Prepared interface {
	Row
	// Hash is the sum of the hashes of the row's values, and the first of their errors, in the
	// order of Prepare.
	Hash() (Hash, *CellError)
	// Word names the value of a cell if other rows refer to the same one: equal numbers of equal
	// lists are equal texts. list is nil, or number negative, if there is no such name or no
	// value.
	Word(pos int) (list WordList, number int)
	// Words writes the numbers of the values at positions, -1 for nulls. All calls for one table
	// use the same positions. Rows with the same serial refer to the same lists; it is 0 if some
	// values are in no list.
	Words(positions []int, numbers []int32) (serial uint64)
	// Amount is Number; nil is null. The amount is not changed later.
	Amount(pos int) (*money.Amount, error)
}

// WordList identifies a list of values by the address of an object that lives as long as any
// reference to it.
type WordList *words

type words struct{ _ byte }

// batchRows is how many rows are decoded at once: few enough that the values of many columns
// stay in a processor's cache.
const batchRows = 2048

// batchCells bounds the size of a wide table's batch.
const batchCells = 1 << 20

// rowsAtOnce is batchRows, fewer for a table of many columns.
func rowsAtOnce(columns int) int { return max(32, min(batchRows, batchCells/max(1, columns))) }

// batch is consecutive rows by columns.
type batch struct {
	rows   int
	lines  []int64 // per row; nil: consecutive from first
	first  int64
	cols   []column // by position
	hashes []Hash   // per row, of Prepare
	hashed []int    // positions with hashes, in the order of Prepare
	anyBad bool     // some value has a hash error
}

// column is one column of a batch.
type column struct {
	index []int32 // per row the number of its value, -1 = null; nil: all are same
	same  int32
	f     *facets
	place []int32 // memory of index
}

func (c *column) at(i int) int {
	if c.index != nil {
		return int(c.index[i])
	}
	return int(c.same)
}

// null makes the whole column null.
func (c *column) null() { c.index, c.same, c.f = nil, -1, nil }

// room returns index with space for all rows.
func (c *column) room(rows int) []int32 {
	if cap(c.place) < rows {
		c.place = make([]int32, rows)
	}
	return c.place[:rows]
}

// sum adds up the hashes of the rows.
func (b *batch) sum() {
	if cap(b.hashes) < b.rows {
		b.hashes = make([]Hash, max(b.rows, batchRows))
	}
	b.hashes, b.anyBad = b.hashes[:b.rows], false
	var base Hash
	for _, pos := range b.hashed {
		if c := &b.cols[pos]; c.index == nil && c.same >= 0 {
			base = base.Plus(c.f.hashes[c.same])
			b.anyBad = b.anyBad || c.f.anyBad
		}
	}
	sums := b.hashes
	for i := range sums {
		sums[i] = base
	}
	for _, pos := range b.hashed {
		c := &b.cols[pos]
		if c.index == nil {
			continue
		}
		hashes := c.f.hashes
		b.anyBad = b.anyBad || c.f.anyBad
		index := c.index[:len(sums)]
		for i := range sums {
			if k := index[i]; k >= 0 {
				h := &hashes[k]
				lo, carry := bits.Add64(sums[i].Lo, h.Lo, 0)
				sums[i].Lo = lo
				sums[i].Hi, _ = bits.Add64(sums[i].Hi, h.Hi, carry)
			}
		}
	}
}

// batchRow is a row of a batch.
type batchRow struct {
	b     *batch
	i     int
	words wordLists
}

// wordLists are the lists to which Words' numbers refer.
type wordLists struct {
	known  bool // for the current batch
	lists  []WordList
	last   uint64
	serial uint64 // of the current batch: last, or 0
}

func (w *wordLists) see(b *batch, positions []int) {
	w.known = true
	if w.lists == nil {
		w.lists, w.last = make([]WordList, len(positions)), 1
	}
	w.serial = 0
	other := false
	for i, pos := range positions {
		c := &b.cols[pos]
		if c.f == nil { // only nulls
			continue
		}
		if c.f.lasting == nil {
			return
		}
		other = other || w.lists[i] != nil && w.lists[i] != c.f.lasting
	}
	for i, pos := range positions {
		if c := &b.cols[pos]; c.f != nil {
			w.lists[i] = c.f.lasting
		}
	}
	if other {
		w.last++
	}
	w.serial = w.last
}

func (r *batchRow) Line() int64 {
	if r.b.lines != nil {
		return r.b.lines[r.i]
	}
	return r.b.first + int64(r.i)
}

func (r *batchRow) Raw(pos int) string {
	c := &r.b.cols[pos]
	k := c.at(r.i)
	if k < 0 {
		return ""
	}
	if k < len(c.f.raw) {
		return c.f.raw[k]
	}
	return c.f.rawOf(k)
}

func (r *batchRow) Number(pos int) (money.Amount, bool, error) {
	c := &r.b.cols[pos]
	if k := c.at(r.i); k >= 0 {
		return c.f.number(k)
	}
	return money.Amount{}, false, nil
}

func (f *facets) number(k int) (money.Amount, bool, error) {
	if k < len(f.amounts) && f.amount[k] != isBad {
		return f.amounts[k], f.amount[k] == isValue, nil
	}
	a, s, err := f.amountOf(k)
	return a, s == isValue, err
}

func (r *batchRow) Instant(pos int) (period.Second, bool, error) {
	c := &r.b.cols[pos]
	if k := c.at(r.i); k >= 0 {
		return c.f.time(k)
	}
	return 0, false, nil
}

func (f *facets) time(k int) (period.Second, bool, error) {
	if k < len(f.instants) && f.instant[k] != isBad {
		return f.instants[k], f.instant[k] == isValue, nil
	}
	return f.instantOf(k)
}

func (r *batchRow) Pairs(pos int) ([]Pair, error) {
	c := &r.b.cols[pos]
	if k := c.at(r.i); k >= 0 {
		return c.f.entries(k)
	}
	return nil, nil
}

func (f *facets) entries(k int) ([]Pair, error) {
	if k < len(f.pairs) && f.pairs[k] != nil {
		return f.pairs[k], nil
	}
	return f.pairsOf(k)
}

func (r *batchRow) Hash() (Hash, *CellError) {
	if len(r.b.hashed) == 0 {
		return Hash{}, nil
	}
	if r.b.anyBad {
		for _, pos := range r.b.hashed {
			c := &r.b.cols[pos]
			if k := c.at(r.i); k >= 0 && c.f.bad[k] {
				_, err := c.f.want.Hash(&valueRow{f: c.f, k: k}, pos)
				return r.b.hashes[r.i], err
			}
		}
	}
	return r.b.hashes[r.i], nil
}

func (r *batchRow) Word(pos int) (WordList, int) {
	c := &r.b.cols[pos]
	k := c.at(r.i)
	if k < 0 {
		return nil, k
	}
	return c.f.lasting, k
}

func (r *batchRow) Words(positions []int, numbers []int32) uint64 {
	if !r.words.known {
		r.words.see(r.b, positions)
	}
	for i, pos := range positions {
		c := &r.b.cols[pos]
		if c.index != nil {
			numbers[i] = c.index[r.i]
		} else {
			numbers[i] = c.same
		}
	}
	return r.words.serial
}

func (r *batchRow) Amount(pos int) (*money.Amount, error) {
	c := &r.b.cols[pos]
	k := c.at(r.i)
	if k < 0 {
		return nil, nil
	}
	if f := c.f; k < len(f.amounts) {
		switch f.amount[k] {
		case isValue:
			return &f.amounts[k], nil
		case isNull:
			return nil, nil
		}
	}
	a, ok, err := c.f.number(k)
	if !ok {
		return nil, err
	}
	return &a, nil
}

// valueRow is a row with only one known value, at any position.
type valueRow struct {
	f *facets
	k int
}

func (r *valueRow) Line() int64 { return 0 }
func (r *valueRow) Raw(int) string {
	if r.k < len(r.f.raw) {
		return r.f.raw[r.k]
	}
	return r.f.rawOf(r.k)
}
func (r *valueRow) Number(int) (money.Amount, bool, error)   { return r.f.number(r.k) }
func (r *valueRow) Instant(int) (period.Second, bool, error) { return r.f.time(r.k) }
func (r *valueRow) Pairs(int) ([]Pair, error)                { return r.f.entries(r.k) }

// batchesAhead is how many batches are decoded ahead of the reader.
const batchesAhead = 3

// eachRow calls visit with the rows of the batches that produce fills, one after the other,
// until it reports that there are no more. A separate goroutine decodes batches while rows are
// visited.
func eachRow(
	ctx context.Context, newBatch func() *batch, produce func(*batch) (more bool, err error), visit func(Row) error,
) error {
	free, full := make(chan *batch, batchesAhead), make(chan *batch, batchesAhead)
	for range batchesAhead {
		free <- newBatch()
	}
	stop, done := make(chan struct{}), make(chan error, 1)
	go func() {
		defer close(full)
		done <- decode(ctx, free, full, stop, produce)
	}()
	visited := visitAll(full, free, visit)
	close(stop)
	for range full { // let the decoder end
		continue
	}
	if err := <-done; err != nil && visited == nil {
		return err
	}
	return visited
}

func decode(
	ctx context.Context, free <-chan *batch, full chan<- *batch, stop <-chan struct{}, produce func(*batch) (bool, error),
) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		var b *batch
		select {
		case b = <-free:
		case <-stop:
			return nil
		}
		more, err := produce(b)
		if b.rows > 0 { // including rows before a fault
			if len(b.hashed) > 0 {
				b.sum()
			}
			full <- b // has room for all batches
		}
		if err != nil || !more {
			return err
		}
	}
}

func visitAll(full <-chan *batch, free chan<- *batch, visit func(Row) error) error {
	row := &batchRow{}
	for b := range full {
		row.b, row.words.known = b, false
		for row.i = range b.rows {
			if err := visit(row); err != nil {
				return err
			}
		}
		free <- b
	}
	return nil
}
