package table

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// flat is the plan to read a Parquet file column by column, if all of its columns are texts,
// doubles, integers, times, or maps from texts to those. Other files are read through Arrow.
type flat struct {
	columns []flatColumn // by position
}

type flatColumn struct {
	leaf
	items    leaf  // of a map: the values; leaf are the keys
	entryDef int32 // of a map
	isMap    bool
}

// Most rows and values that a file of a size may have, so that a few damaged bytes cannot keep
// a reader busy for hours: a run of equal values needs hardly any bytes, but a bill does not
// consist of equal rows.
const (
	freeRows    = 1 << 20
	rowsPerByte = 64
	maxEntries  = 1 << 16 // of a map
)

// newFlat makes the plan, nil if a column has another type.
func newFlat(pq *file.Reader) *flat {
	sc := pq.MetaData().Schema
	leaves := map[string][]int{} // by top-level name
	for i := range sc.NumColumns() {
		name := sc.Column(i).ColumnPath()[0]
		leaves[name] = append(leaves[name], i)
	}
	p := &flat{}
	root := sc.Root()
	for i := range root.NumFields() {
		field := root.Field(i)
		c, ok := newFlatColumn(field, sc, leaves[field.Name()])
		if !ok {
			return nil
		}
		p.columns = append(p.columns, c)
	}
	for g := range pq.NumRowGroups() {
		group := pq.MetaData().RowGroup(g)
		for i := range group.NumColumns() {
			if chunk, err := group.ColumnChunk(i); err != nil || !plainEncodings(chunk.Encodings()) {
				return nil
			}
		}
	}
	return p
}

// plainEncodings reports whether a chunk has only dictionary and plain values. Levels may be
// packed in theory, but no writer does it.
func plainEncodings(es []parquet.Encoding) bool {
	for _, e := range es {
		switch e {
		case parquet.Encodings.Plain, parquet.Encodings.PlainDict, parquet.Encodings.RLEDict, parquet.Encodings.RLE,
			parquet.Encodings.BitPacked:
		default:
			return false
		}
	}
	return true
}

func newFlatColumn(field schema.Node, sc *schema.Schema, leaves []int) (c flatColumn, ok bool) {
	group, isGroup := field.(*schema.GroupNode)
	if !isGroup {
		if len(leaves) != 1 || field.RepetitionType() == parquet.Repetitions.Repeated {
			return c, false
		}
		c.leaf, ok = newLeaf(sc, leaves[0])
		return c, ok
	}
	if len(leaves) != 2 || group.NumFields() != 1 || field.RepetitionType() == parquet.Repetitions.Repeated {
		return c, false
	}
	switch field.ConvertedType() {
	case schema.ConvertedTypes.Map, schema.ConvertedTypes.MapKeyValue:
	default:
		if _, isMap := field.LogicalType().(schema.MapLogicalType); !isMap {
			return c, false
		}
	}
	entries, isGroup := group.Field(0).(*schema.GroupNode)
	if !isGroup || entries.NumFields() != 2 || entries.RepetitionType() != parquet.Repetitions.Repeated {
		return c, false
	}
	var okItems bool
	c.leaf, ok = newLeaf(sc, leaves[0])
	c.items, okItems = newLeaf(sc, leaves[1])
	c.isMap, c.entryDef = true, 1
	if field.RepetitionType() == parquet.Repetitions.Optional {
		c.entryDef = 2
	}
	deep := len(sc.Column(leaves[0]).ColumnPath()) != 3 || len(sc.Column(leaves[1]).ColumnPath()) != 3
	return c, ok && okItems && !deep && c.stored == storedText
}

// newLeaf decides how a leaf is read; ok is false for types that are read through Arrow.
func newLeaf(sc *schema.Schema, number int) (l leaf, ok bool) {
	col := sc.Column(number)
	l = leaf{
		number: number, physical: col.PhysicalType(),
		maxDef: int32(col.MaxDefinitionLevel()), maxRep: int32(col.MaxRepetitionLevel()),
	}
	logical := col.LogicalType()
	none := logical == nil || logical.Equals(schema.NoLogicalType{})
	switch l.physical {
	case parquet.Types.ByteArray:
		_, text := logical.(schema.StringLogicalType)
		return l, text || none && col.ConvertedType() == schema.ConvertedTypes.UTF8
	case parquet.Types.Double:
		l.stored = storedDouble
		return l, none
	case parquet.Types.Int96:
		l.stored, l.unit = storedTime, arrow.Nanosecond
		return l, true
	case parquet.Types.Int32, parquet.Types.Int64:
		l.stored = storedInt
		switch logical := logical.(type) {
		case schema.TimestampLogicalType:
			l.stored, l.unit = storedTime, timeUnits[logical.TimeUnit()]
			return l, l.physical == parquet.Types.Int64
		case schema.IntLogicalType:
			return l, logical.IsSigned() && (logical.BitWidth() == 64) == (l.physical == parquet.Types.Int64)
		}
		return l, none && col.ConvertedType() == schema.ConvertedTypes.None
	}
	return l, false
}

var timeUnits = map[schema.TimeUnitType]arrow.TimeUnit{
	schema.TimeUnitMillis: arrow.Millisecond,
	schema.TimeUnitMicros: arrow.Microsecond, schema.TimeUnitNanos: arrow.Nanosecond,
}

// flatReader fills batches from the row groups, one after the other.
type flatReader struct {
	p     *parquetTable
	wants []*Want // by position; nil = not read
	group int     // next row group
	left  int64   // rows left in the open one
	line  int64   // of the next row
	flats []*chunk
	maps  []*mapChunk
	words []*sharedWords
	read  []*chunk // all of the open row group
}

var errTooManyRows = errors.New("the file declares more rows than a file of its size can hold")

// eachFlat is Each for files that are read column by column.
func (p *parquetTable) eachFlat(ctx context.Context, visit func(Row) error) error {
	r := &flatReader{p: p, wants: wanted(p.read, p.wants), line: 1}
	hashed := hashedColumns(p.wants)
	newBatch := func() *batch { return &batch{cols: make([]column, len(p.names)), hashed: hashed} }
	return eachRow(ctx, newBatch, r.fill, visit)
}

// wanted lists the forms to prepare of each read column.
func wanted(read []bool, wants []Want) []*Want {
	out := make([]*Want, len(read))
	for pos, on := range read {
		if on {
			out[pos] = &Want{Pos: pos, Raw: wants == nil}
		}
	}
	for _, w := range wants {
		out[w.Pos] = &w
	}
	return out
}

// hashedColumns lists the positions of columns with hashes.
func hashedColumns(wants []Want) []int {
	var out []int
	for _, w := range wants {
		if w.Hash != nil {
			out = append(out, w.Pos)
		}
	}
	return out
}

// fill decodes the next batch.
func (r *flatReader) fill(b *batch) (more bool, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = broken(r.p.file.Name, v)
		}
		if err != nil {
			b.rows = 0
			err = errors.Join(broken(r.p.file.Name, err), r.close())
		}
	}()
	b.rows = 0
	for r.left == 0 {
		if err := r.close(); err != nil {
			return false, err
		}
		if r.group == r.p.pq.NumRowGroups() {
			return false, r.complete()
		}
		if err := r.open(); err != nil {
			return false, err
		}
	}
	rows := int(min(r.left, int64(rowsAtOnce(len(r.wants)))))
	for pos, w := range r.wants {
		col := &b.cols[pos]
		switch {
		case w == nil:
			col.null()
		case r.maps[pos] != nil:
			err = r.maps[pos].rows(col, rows)
		default:
			err = r.flats[pos].rows(col, rows)
		}
		if err != nil {
			return false, fmt.Errorf("column %s: %w", r.p.names[pos], err)
		}
	}
	b.rows, b.first = rows, r.line
	r.line += int64(rows)
	r.left -= int64(rows)
	return true, nil
}

// complete compares the rows read with the declared ones.
func (r *flatReader) complete() error {
	if read := r.line - 1; read != r.p.pq.NumRows() {
		return fmt.Errorf("%d rows read, but %d declared", read, r.p.pq.NumRows())
	}
	return nil
}

// open begins the next row group.
func (r *flatReader) open() error {
	group := r.p.pq.RowGroup(r.group)
	r.group++
	r.left = group.NumRows()
	if r.left < 0 || r.left+r.line > freeRows+rowsPerByte*r.p.size {
		return errTooManyRows
	}
	r.flats = make([]*chunk, len(r.wants))
	if r.maps == nil {
		r.maps, r.words = make([]*mapChunk, len(r.wants)), make([]*sharedWords, len(r.wants))
	}
	for pos, w := range r.wants {
		if w == nil {
			continue
		}
		if err := r.openColumn(pos, w, group); err != nil {
			return err
		}
	}
	return nil
}

func (r *flatReader) openColumn(pos int, w *Want, group *file.RowGroupReader) (err error) {
	c := &r.p.flat.columns[pos]
	if r.words[pos] == nil && !c.isMap {
		r.words[pos] = newSharedWords(w)
	}
	of := w
	if c.isMap {
		of = nil // keys and values alone have no prepared form
	}
	if r.flats[pos], err = openChunk(c.leaf, group, of, r.words[pos]); err != nil {
		return err
	}
	r.read = append(r.read, r.flats[pos])
	if !c.isMap {
		return nil
	}
	items, err := openChunk(c.items, group, nil, nil)
	if err != nil {
		return err
	}
	r.read = append(r.read, items)
	if r.maps[pos] == nil {
		r.maps[pos] = newMapChunk(r.flats[pos], items, c.entryDef, w)
	} else {
		r.maps[pos].next(r.flats[pos], items)
	}
	return nil
}

// close releases the open row group.
func (r *flatReader) close() error {
	var errs []error
	for _, c := range r.read {
		errs = append(errs, c.close())
	}
	r.read = r.read[:0]
	return errors.Join(errs...)
}
