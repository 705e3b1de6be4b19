package awscur

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	parquetschema "github.com/apache/arrow-go/v18/parquet/schema"

	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
)

const (
	parquetMagic = "PAR1"
	// batchRows bounds how many rows are decoded at once.
	batchRows = 4096
)

// parquetSource reads Parquet in batches of rows, page by page.
type parquetSource struct {
	file   blob.File
	handle blob.Random
	pq     *file.Reader
	arrow  *pqarrow.FileReader
	leaves []int // leaf columns to read
	fields []int // file position (top-level field) per read field, in order
	s      *schema
	bad    ledger.Tally
}

// broken turns whatever the Parquet reader ran into, panics included, into a
// refusal that names the file.
func broken(name string, what any) error {
	return &FileError{Rejection: ledger.Rejection{File: name, Reason: "broken parquet",
		Detail: fmt.Sprintf("%v; fetch the file again", what)}}
}

func openParquet(f blob.File, wanted []column) (src source, err error) {
	handle, err := f.At()
	if err != nil {
		return nil, err
	}
	defer func() {
		if p := recover(); p != nil {
			err = broken(f.Name, p)
		}
		if err != nil {
			src, err = nil, errors.Join(err, handle.Close())
		}
	}()
	props := parquet.NewReaderProperties(memory.DefaultAllocator)
	props.BufferedStreamEnabled = true // pages, not whole column chunks
	pq, err := file.NewParquetReader(handle, file.WithReadProps(props))
	if err != nil {
		return nil, broken(f.Name, err)
	}
	s, refused := newSchema(f.Name, columnNames(pq))
	if refused != nil {
		refused.Line = 0
		return nil, &FileError{Rejection: *refused}
	}
	p := &parquetSource{file: f, handle: handle, pq: pq, s: s}
	p.choose(pq.MetaData().Schema.Root(), wanted)
	ap := pqarrow.ArrowReadProperties{BatchSize: batchRows}
	for _, leaf := range p.leaves {
		if c := pq.MetaData().Schema.Column(leaf); c.PhysicalType() == parquet.Types.ByteArray && c.MaxRepetitionLevel() == 0 {
			ap.SetReadDict(leaf, true)
		}
	}
	if p.arrow, err = pqarrow.NewFileReader(pq, ap, memory.DefaultAllocator); err != nil {
		return nil, broken(f.Name, err)
	}
	return p, nil
}

// ParquetColumns returns the names of the top-level columns of a Parquet file.
func ParquetColumns(f blob.File) (names []string, err error) {
	handle, err := f.At()
	if err != nil {
		return nil, err
	}
	defer func() {
		if p := recover(); p != nil {
			err = broken(f.Name, p)
		}
		err = errors.Join(err, handle.Close())
	}()
	pq, err := file.NewParquetReader(handle)
	if err != nil {
		return nil, broken(f.Name, err)
	}
	return columnNames(pq), nil
}

func columnNames(pq *file.Reader) []string {
	root := pq.MetaData().Schema.Root()
	names := make([]string, root.NumFields())
	for i := range names {
		names[i] = root.Field(i).Name()
	}
	return names
}

// choose lists the leaves to read: all columns of the bill and the load id, or
// the wanted ones only.
func (p *parquetSource) choose(root *parquetschema.GroupNode, wanted []column) {
	read := make([]bool, root.NumFields())
	if wanted == nil {
		for _, b := range p.s.billing {
			read[b.pos] = true
		}
		wanted = []column{colLoadID}
	}
	for _, c := range wanted {
		for _, pos := range p.s.at[c] {
			read[pos] = true
		}
	}
	sc := p.pq.MetaData().Schema
	for leaf := range sc.NumColumns() {
		field := root.FieldIndexByName(sc.Column(leaf).ColumnPath()[0])
		if field >= 0 && read[field] {
			p.leaves = append(p.leaves, leaf)
		}
	}
	for pos, on := range read {
		if on {
			p.fields = append(p.fields, pos)
		}
	}
}

func (p *parquetSource) schema() *schema               { return p.s }
func (p *parquetSource) rejected() *ledger.Tally       { return &p.bad }
func (p *parquetSource) sum() ([32]byte, int64, error) { return p.file.Sum() }
func (p *parquetSource) close() error                  { return p.handle.Close() }

func (p *parquetSource) each(ctx context.Context, visit func(record) error) (err error) {
	rec := &parquetRecord{cells: make([]cell, len(p.s.names)), memo: make([]rowPairs, len(p.s.names))}
	defer func() {
		// Damaged pages surface while decoding and while cells are read.
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
	batches, err := p.arrow.GetRecordReader(ctx, p.leaves, groups)
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
		return broken(p.file.Name, fmt.Sprintf("%d rows read of %d promised", rec.row, p.pq.NumRows()))
	}
	return nil
}

// load points the cells at the columns of a batch.
func (r *parquetRecord) load(p *parquetSource, batch arrow.RecordBatch) error {
	if int(batch.NumCols()) != len(p.fields) {
		return broken(p.file.Name, fmt.Sprintf("%d columns read, %d asked for", batch.NumCols(), len(p.fields)))
	}
	for i, pos := range p.fields {
		r.cells[pos] = newCell(batch.Column(i), &r.floats)
	}
	return nil
}
