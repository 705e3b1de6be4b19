package table

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// nestedTable reads Parquet files with records or lists. Members of records become columns,
// lists become JSON text.
type nestedTable struct {
	file    blob.File
	handle  blob.Random
	pq      *file.Reader
	columns []nestedColumn
	names   []string
	read    []bool
	bad     ledger.Tally
}

// nestedColumn is a column below any number of records.
type nestedColumn struct {
	path   []string // names from the root
	leaves []int    // leaf columns of the file
}

// hasNesting reports whether a file has records or lists; the plain reader reads files that
// only have maps.
func hasNesting(pq *file.Reader) bool {
	root := pq.MetaData().Schema.Root()
	for i := range root.NumFields() {
		f := root.Field(i)
		if f.RepetitionType() == parquet.Repetitions.Repeated || f.Type() == schema.Group && !isMap(f) {
			return true
		}
	}
	return false
}

func isMap(n schema.Node) bool {
	_, logical := n.LogicalType().(schema.MapLogicalType)
	return logical || n.ConvertedType() == schema.ConvertedTypes.Map ||
		n.ConvertedType() == schema.ConvertedTypes.MapKeyValue
}

func isList(n schema.Node) bool {
	_, logical := n.LogicalType().(schema.ListLogicalType)
	return logical || n.ConvertedType() == schema.ConvertedTypes.List || n.RepetitionType() == parquet.Repetitions.Repeated
}

func openNested(f blob.File, handle blob.Random, pq *file.Reader) (Table, error) {
	n := &nestedTable{file: f, handle: handle, pq: pq}
	leaf := 0
	if err := n.find(pq.MetaData().Schema.Root(), nil, &leaf); err != nil {
		return nil, broken(f.Name, err)
	}
	n.Select(nil)
	return n, nil
}

// find lists the columns below a record.
func (n *nestedTable) find(record *schema.GroupNode, path []string, leaf *int) error {
	if len(path) > maxDepth || len(n.columns) > maxColumns {
		return fmt.Errorf("its schema is too deep or has more than %d columns", maxColumns)
	}
	for i := range record.NumFields() {
		f := record.Field(i)
		at := append(slices.Clone(path), f.Name())
		if g, ok := f.(*schema.GroupNode); ok && !isMap(f) && !isList(f) {
			if err := n.find(g, at, leaf); err != nil {
				return err
			}
			continue
		}
		c := nestedColumn{path: at}
		for range countLeaves(f) {
			c.leaves = append(c.leaves, *leaf)
			*leaf++
		}
		n.columns, n.names = append(n.columns, c), append(n.names, strings.Join(at, "."))
	}
	return nil
}

func countLeaves(n schema.Node) int {
	g, ok := n.(*schema.GroupNode)
	if !ok {
		return 1
	}
	total := 0
	for i := range g.NumFields() {
		total += countLeaves(g.Field(i))
	}
	return total
}

func (n *nestedTable) Names() []string               { return n.names }
func (n *nestedTable) HeaderLine() int64             { return 0 }
func (n *nestedTable) Rejected() *ledger.Tally       { return &n.bad }
func (n *nestedTable) Sum() ([32]byte, int64, error) { return n.file.Sum() }
func (n *nestedTable) Close() error                  { return n.handle.Close() }

func (n *nestedTable) Select(positions []int) {
	n.read = make([]bool, len(n.names))
	for i := range n.read {
		n.read[i] = positions == nil
	}
	for _, pos := range positions {
		n.read[pos] = true
	}
}

func (n *nestedTable) Each(ctx context.Context, visit func(Row) error) (err error) {
	rec := &nestedRecord{
		textRecord: newTextRecord(len(n.names)),
		stamps:     make([]*array.Timestamp, len(n.names)), at: make([]int, len(n.names)),
	}
	decoding := true // a panic of visit is not the file's fault
	defer func() {
		if !decoding {
			return
		}
		if v := recover(); v != nil {
			err = broken(n.file.Name, v)
		}
	}()
	var leaves, groups []int
	for pos, c := range n.columns {
		if n.read[pos] {
			leaves = append(leaves, c.leaves...)
		}
	}
	for i := range n.pq.NumRowGroups() {
		groups = append(groups, i)
	}
	if len(groups) == 0 {
		return nil
	}
	reader, err := pqarrow.NewFileReader(n.pq, pqarrow.ArrowReadProperties{BatchSize: nestedBatch},
		memory.DefaultAllocator)
	if err != nil {
		return broken(n.file.Name, err)
	}
	batches, err := reader.GetRecordReader(ctx, leaves, groups)
	if err != nil {
		return broken(n.file.Name, err)
	}
	defer batches.Release()
	var row int64
	for batches.Next() {
		batch := batches.RecordBatch()
		cells, err := n.cells(batch)
		if err != nil {
			return err
		}
		for i := range int(batch.NumRows()) {
			decoding = true
			row++
			rec.reset(row)
			for _, c := range cells {
				rec.load(c, i)
			}
			decoding = false
			if err := visit(rec); err != nil {
				return err
			}
		}
		decoding = true
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if err := batches.Err(); err != nil {
		if cerr := ctx.Err(); cerr != nil {
			return cerr
		}
		return broken(n.file.Name, err)
	}
	if row != n.pq.NumRows() {
		return broken(n.file.Name, fmt.Sprintf("%d rows read, but %d declared", row, n.pq.NumRows()))
	}
	return nil
}

// nestedBatch is how many rows are decoded at once: rows with lists are wide.
const nestedBatch = 1024

// nestedCell is a column of a batch, with the records that contain it.
type nestedCell struct {
	pos     int
	records []arrow.Array
	col     arrow.Array
}

// cells finds the selected columns in a batch.
func (n *nestedTable) cells(batch arrow.RecordBatch) ([]nestedCell, error) {
	var out []nestedCell
	for pos, c := range n.columns {
		if !n.read[pos] {
			continue
		}
		cell := nestedCell{pos: pos}
		if at := batch.Schema().FieldIndices(c.path[0]); len(at) == 1 {
			cell.col = batch.Column(at[0])
		}
		for _, name := range c.path[1:] {
			record, ok := cell.col.(*array.Struct)
			if !ok {
				cell.col = nil
				break
			}
			cell.records = append(cell.records, record)
			cell.col = nil
			if i, ok := record.DataType().(*arrow.StructType).FieldIdx(name); ok {
				cell.col = record.Field(i)
			}
		}
		if cell.col == nil {
			return nil, broken(n.file.Name, "column "+n.names[pos]+" is not where its schema puts it, or occurs twice")
		}
		out = append(out, cell)
	}
	return out, nil
}

// nestedRecord is a row of the current batch.
type nestedRecord struct {
	*textRecord
	stamps []*array.Timestamp // of time columns
	at     []int
}

func (r *nestedRecord) load(c nestedCell, i int) {
	r.stamps[c.pos] = nil
	for _, record := range c.records {
		if record.IsNull(i) {
			return
		}
	}
	if c.col.IsNull(i) {
		return
	}
	if t, ok := c.col.(*array.Timestamp); ok {
		r.stamps[c.pos], r.at[c.pos] = t, i
	}
	v := arrowValue(c.col, i, 0)
	switch v.kind {
	case jsonArray, jsonObject:
		if !v.none() {
			r.cells[c.pos] = string(v.append(nil))
		}
	default:
		r.cells[c.pos] = v.text
	}
}

// Instant reads times without converting them to text.
func (r *nestedRecord) Instant(pos int) (period.Second, bool, error) {
	if t := r.stamps[pos]; t != nil {
		return seconds(int64(t.Value(r.at[pos])), t.DataType().(*arrow.TimestampType).Unit), true, nil
	}
	return r.textRecord.Instant(pos)
}

// arrowValue is an element of an array as a tree.
func arrowValue(col arrow.Array, i, depth int) (v jsonValue) {
	if depth > maxDepth || col.IsNull(i) {
		return v
	}
	switch a := col.(type) {
	case *array.String:
		return jsonValue{kind: jsonString, text: a.Value(i)}
	case *array.Float64:
		return floatValue(a.Value(i), 64)
	case *array.Float32:
		return floatValue(float64(a.Value(i)), 32)
	case *array.Timestamp:
		unit := a.DataType().(*arrow.TimestampType).Unit
		return jsonValue{kind: jsonString, text: a.Value(i).ToTime(unit).UTC().Format(time.RFC3339Nano)}
	case *array.Boolean:
		return jsonValue{kind: jsonWord, text: a.ValueStr(i)}
	case *array.Decimal128:
		scale := a.DataType().(*arrow.Decimal128Type).Scale
		return decimalValue(a.Value(i).ToString(scale))
	case *array.Decimal256:
		scale := a.DataType().(*arrow.Decimal256Type).Scale
		return decimalValue(a.Value(i).ToString(scale))
	case *array.Struct:
		v.kind = jsonObject
		fields := a.DataType().(*arrow.StructType).Fields()
		for f := range fields {
			v.members = append(v.members, jsonMember{fields[f].Name, arrowValue(a.Field(f), i, depth+1)})
		}
		return v
	case *array.Map:
		v.kind = jsonObject
		from, to := a.ValueOffsets(i)
		for j := int(from); j < int(to); j++ {
			v.members = append(v.members, jsonMember{arrowValue(a.Keys(), j, depth+1).text, arrowValue(a.Items(), j, depth+1)})
		}
		return v
	case array.ListLike:
		v.kind = jsonArray
		from, to := a.ValueOffsets(i)
		for j := int(from); j < int(to); j++ {
			v.items = append(v.items, arrowValue(a.ListValues(), j, depth+1))
		}
		return v
	}
	if arrow.IsInteger(col.DataType().ID()) {
		return jsonValue{kind: jsonNumber, text: col.ValueStr(i)}
	}
	return jsonValue{kind: jsonString, text: col.ValueStr(i)}
}

func decimalValue(text string) jsonValue {
	short, _ := CanonicalNumber(nil, text)
	return jsonValue{kind: jsonNumber, text: string(short)}
}
