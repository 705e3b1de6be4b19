package table

import (
	"context"
	"errors"
	"fmt"
	"io"

	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
)

// avroTable reads Avro object container files, a block at a time.
type avroTable struct {
	avroFile
	file  blob.File
	in    *blob.Reader
	names []string
	root  *avroNode
	cols  []*avroNode
	bad   ledger.Tally
}

func openAvro(f blob.File) (t Table, err error) {
	in, err := f.Open(blob.Limits{})
	if err != nil {
		return nil, err
	}
	a := &avroTable{file: f, in: in, avroFile: newAvroFile(in)}
	defer func() {
		if p := recover(); p != nil {
			err = a.broken(p)
		}
		if err != nil {
			t, err = nil, errors.Join(err, in.Close())
		}
	}()
	schema, err := a.schema()
	if err != nil {
		return nil, a.broken(err)
	}
	if a.root, err = avroColumns(schema, func(name string, n *avroNode) {
		n.pos = len(a.names)
		a.names, a.cols = append(a.names, name), append(a.cols, n)
	}); err != nil {
		return nil, a.broken(err)
	}
	a.Select(nil)
	return a, nil
}

// broken refuses the file. Errors of the store or the archive are returned unchanged.
func (a *avroTable) broken(what any) error {
	if a.source.err != nil {
		return a.source.err
	}
	reason := "broken avro"
	if err, ok := what.(error); ok && ended(err) {
		reason, what = "truncated file", "the file ends in the middle"
	}
	return &ledger.FileError{Rejection: ledger.Rejection{File: a.file.Name, Reason: reason,
		Detail: fmt.Sprintf("%v, near byte %d; fetch the file again", what, a.source.n)}}
}

// ended reports that the data ended inside a value.
func ended(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

func (a *avroTable) Names() []string               { return a.names }
func (a *avroTable) HeaderLine() int64             { return 0 }
func (a *avroTable) Rejected() *ledger.Tally       { return &a.bad }
func (a *avroTable) Sum() ([32]byte, int64, error) { return a.in.Sum() }
func (a *avroTable) Close() error                  { return a.in.Close() }

func (a *avroTable) Select(positions []int) {
	for _, n := range a.cols {
		n.read = positions == nil
	}
	for _, pos := range positions {
		a.cols[pos].read = true
	}
}

func (a *avroTable) Each(ctx context.Context, visit func(Row) error) (err error) {
	rec := newTextRecord(len(a.names))
	var row int64
	decoding := false // a panic of visit is not the file's fault
	defer func() {
		if !decoding {
			return
		}
		if p := recover(); p != nil {
			err = a.broken(p)
		}
	}()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		decoding = true
		rows, data, err := a.block()
		if errors.Is(err, errLastBlock) {
			decoding = false
			return nil
		}
		if err != nil {
			return a.broken(err)
		}
		d := newAvroData(data, rec)
		for range rows {
			decoding = true
			row++
			rec.reset(row)
			if err := d.row(a.root); err != nil {
				return a.broken(fmt.Errorf("row %d: %w", row, err))
			}
			decoding = false
			if err := visit(rec); err != nil {
				return err
			}
		}
		if d.Peek(); d.Error == nil {
			return a.broken(errors.New("bytes follow the last row of a block"))
		}
	}
}
