package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
)

const (
	parquetMagic = "PAR1"
	// arrowRows bounds how many rows are decoded at once through Arrow.
	arrowRows = 4096
)

// parquetTable reads Parquet in batches of rows, page by page.
type parquetTable struct {
	file   blob.File
	handle blob.Random
	pq     *file.Reader
	names  []string
	read   []bool // per name
	leaves []int  // leaf columns to read
	fields []int  // position per read leaf group, in order
	flat   *flat  // nil: read through Arrow
	wants  []Want // of Prepare
	size   int64  // stored bytes
	bad    ledger.Tally
}

// broken turns any error of the Parquet reader, panics included, into a refusal that names the
// file. For a run-time error inside the reader, the message says only that the file is damaged.
func broken(name string, what any) error {
	if err, ok := what.(error); ok {
		if _, named := errors.AsType[*ledger.FileError](err); named {
			return err
		}
	}
	if strings.Contains(fmt.Sprint(what), "runtime error") {
		what = "its pages or its footer contradict each other: the file is damaged"
	}
	return &ledger.FileError{Rejection: ledger.Rejection{File: name, Reason: "broken parquet",
		Detail: fmt.Sprintf("%v; fetch the file again", what)}}
}

func openParquet(f blob.File) (t Table, err error) {
	handle, err := f.At()
	if err != nil {
		return nil, err
	}
	defer func() {
		if p := recover(); p != nil {
			err = broken(f.Name, p)
		}
		if err != nil {
			t, err = nil, errors.Join(err, handle.Close())
		}
	}()
	size, err := handle.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	pages := &budget{of: memory.NewGoAllocator()}
	pq, err := file.NewParquetReader(handle, file.WithReadProps(readerProperties(pages)))
	if err != nil {
		return nil, broken(f.Name, err)
	}
	if hasNesting(pq) {
		return openNested(f, handle, pq)
	}
	p := &parquetTable{file: f, handle: handle, pq: pq, names: columnNames(pq), flat: newFlat(pq), size: size}
	pages.keep = p.flat != nil
	p.Select(nil)
	return p, nil
}

// open makes the reader of the selected columns.
func (p *parquetTable) open() (*pqarrow.FileReader, error) {
	ap := pqarrow.ArrowReadProperties{BatchSize: arrowRows}
	for _, leaf := range p.leaves {
		if c := p.pq.MetaData().Schema.Column(leaf); c.PhysicalType() == parquet.Types.ByteArray &&
			c.MaxRepetitionLevel() == 0 {
			ap.SetReadDict(leaf, true)
		}
	}
	return pqarrow.NewFileReader(p.pq, ap, memory.DefaultAllocator)
}

func columnNames(pq *file.Reader) []string {
	root := pq.MetaData().Schema.Root()
	names := make([]string, root.NumFields())
	for i := range names {
		names[i] = root.Field(i).Name()
	}
	return names
}

// Select lists the leaves to read: those of the named fields, or all.
func (p *parquetTable) Select(positions []int) {
	p.read, p.leaves, p.fields = make([]bool, len(p.names)), nil, nil
	for i := range p.read {
		p.read[i] = positions == nil
	}
	for _, pos := range positions {
		p.read[pos] = true
	}
	sc := p.pq.MetaData().Schema
	root := sc.Root()
	for leaf := range sc.NumColumns() {
		field := root.FieldIndexByName(sc.Column(leaf).ColumnPath()[0])
		if field >= 0 && p.read[field] {
			p.leaves = append(p.leaves, leaf)
		}
	}
	for pos, on := range p.read {
		if on {
			p.fields = append(p.fields, pos)
		}
	}
}

func (p *parquetTable) Names() []string               { return p.names }
func (p *parquetTable) HeaderLine() int64             { return 0 }
func (p *parquetTable) Rejected() *ledger.Tally       { return &p.bad }
func (p *parquetTable) Sum() ([32]byte, int64, error) { return p.file.Sum() }
func (p *parquetTable) Close() error                  { return p.handle.Close() }

// Prepare implements Preparer.
func (p *parquetTable) Prepare(wants []Want) bool {
	positions := make([]int, 0, len(wants))
	for _, w := range wants {
		positions = append(positions, w.Pos)
	}
	p.Select(positions)
	p.wants = wants
	return p.flat != nil
}

// Each reads the selected columns of all row groups.
func (p *parquetTable) Each(ctx context.Context, visit func(Row) error) error {
	if p.flat != nil {
		return p.eachFlat(ctx, visit)
	}
	return p.eachArrow(ctx, visit)
}

func (p *parquetTable) eachArrow(ctx context.Context, visit func(Row) error) (err error) {
	rec := &parquetRecord{cells: make([]cell, len(p.names)), memo: make([]rowPairs, len(p.names))}
	defer func() {
		// Damaged pages are found while decoding and while reading cells.
		if v := recover(); v != nil {
			err = broken(p.file.Name, v)
		}
	}()
	groups := make([]int, p.pq.NumRowGroups())
	for i := range groups {
		groups[i] = i
	}
	if len(groups) == 0 {
		return nil
	}
	reader, err := p.open()
	if err != nil {
		return broken(p.file.Name, err)
	}
	batches, err := reader.GetRecordReader(ctx, p.leaves, groups)
	if err != nil {
		return broken(p.file.Name, err)
	}
	defer batches.Release()
	for batches.Next() {
		batch := batches.RecordBatch()
		if err := rec.load(p, batch); err != nil {
			return err
		}
		for i := range int(batch.NumRows()) {
			rec.i = i
			rec.row++
			if err := visit(rec); err != nil {
				return err
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if err := batches.Err(); err != nil {
		if cerr := ctx.Err(); cerr != nil {
			return cerr
		}
		return broken(p.file.Name, err)
	}
	if rec.row != p.pq.NumRows() {
		return broken(p.file.Name, fmt.Sprintf("%d rows read, but %d declared", rec.row, p.pq.NumRows()))
	}
	return nil
}

// load points the cells at the columns of a batch.
func (r *parquetRecord) load(p *parquetTable, batch arrow.RecordBatch) error {
	if int(batch.NumCols()) != len(p.fields) {
		return broken(p.file.Name, fmt.Sprintf("%d columns read, %d requested", batch.NumCols(), len(p.fields)))
	}
	for i, pos := range p.fields {
		r.cells[pos] = newCell(batch.Column(i), &r.floats)
	}
	return nil
}
