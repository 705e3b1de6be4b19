package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
)

// avroTable reads Avro object container files, a block at a time.
type avroTable struct {
	file blob.File
	in   *blob.Reader
	avroReader
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
	a := &avroTable{file: f, in: in, avroReader: avroReader{in: in}}
	defer func() {
		if p := recover(); p != nil {
			err = a.broken(p)
		}
		if err != nil {
			t, err = nil, errors.Join(err, in.Close())
		}
	}()
	schema, err := a.header()
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

// broken refuses the file. What the store or the archive ran into stays as it
// is.
func (a *avroTable) broken(what any) error {
	err, isErr := what.(error)
	if isErr && !errors.Is(err, errAvro) && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	reason := "broken avro"
	if isErr && (errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)) {
		reason, what = "truncated file", "the file ends in the middle"
	}
	return &ledger.FileError{Rejection: ledger.Rejection{File: a.file.Name, Reason: reason,
		Detail: fmt.Sprintf("%v, near byte %d; fetch the file again", what, a.offset)}}
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
		d := avroData{data: data, rec: rec}
		for range rows {
			decoding = true
			row++
			rec.reset(row)
			before := len(d.data)
			if err := d.record(a.root); err != nil {
				return a.broken(fmt.Errorf("row %d: %w", row, err))
			}
			if len(d.data) == before {
				return a.broken(fmt.Errorf("%w: row %d is empty", errAvro, row))
			}
			decoding = false
			if err := visit(rec); err != nil {
				return err
			}
		}
		if len(d.data) > 0 {
			return a.broken(fmt.Errorf("%w: %d bytes follow the last row of a block", errAvro, len(d.data)))
		}
	}
}

// avroMagic begins every container file.
const avroMagic = "Obj\x01"

// Bounds of one file. Writers make blocks of 16 KiB to 4 MiB.
const (
	maxAvroHeader = 4 << 20
	maxAvroBlock  = 64 << 20 // stored and unpacked
)

var (
	errAvro      = errors.New("broken avro")
	errLastBlock = errors.New("no more blocks")
)

// avroReader takes a container file apart.
type avroReader struct {
	in     io.Reader
	offset int64
	sync   [16]byte
	codec  string
	store  []byte // of the block in hand
	out    []byte // unpacked
	one    [1]byte
}

func (r *avroReader) full(p []byte) error {
	n, err := io.ReadFull(r.in, p)
	r.offset += int64(n)
	return err
}

// long reads a zig-zag number. The end of the file before it is io.EOF.
func (r *avroReader) long() (int64, error) {
	var v uint64
	for shift := 0; shift < 64; shift += 7 {
		if err := r.full(r.one[:]); err != nil {
			if shift > 0 && errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return 0, err
		}
		v |= uint64(r.one[0]&0x7f) << shift
		if r.one[0] < 0x80 {
			return int64(v>>1) ^ -int64(v&1), nil
		}
	}
	return 0, fmt.Errorf("%w: a number is too long", errAvro)
}

// text reads a length and so many bytes, at most *left.
func (r *avroReader) text(left *int64) (string, error) {
	n, err := r.long()
	if err != nil {
		return "", err
	}
	if n < 0 || n > *left {
		return "", fmt.Errorf("%w: the header is longer than %d bytes", errAvro, maxAvroHeader)
	}
	*left -= n
	p := make([]byte, n)
	err = r.full(p)
	return string(p), err
}

// header reads everything before the first block and returns the schema.
func (r *avroReader) header() (schema string, err error) {
	magic := make([]byte, len(avroMagic))
	if err := r.full(magic); err != nil {
		return "", err
	}
	if string(magic) != avroMagic {
		return "", fmt.Errorf("%w: the file does not begin like an Avro container", errAvro)
	}
	left := int64(maxAvroHeader)
	for {
		n, err := r.long()
		if err != nil {
			return "", err
		}
		if n == 0 {
			break
		}
		if n < 0 { // its size in bytes follows
			n = -n
			if _, err := r.long(); err != nil {
				return "", err
			}
		}
		for ; n > 0; n-- {
			if left--; left < 0 {
				return "", fmt.Errorf("%w: the header has too many entries", errAvro)
			}
			key, err := r.text(&left)
			if err != nil {
				return "", err
			}
			value, err := r.text(&left)
			if err != nil {
				return "", err
			}
			switch key {
			case "avro.schema":
				schema = value
			case "avro.codec":
				r.codec = value
			}
		}
	}
	switch r.codec {
	case "", "null", "deflate", "snappy", "zstandard":
	default:
		return "", fmt.Errorf("%w: codec %q is not known; write it with deflate, snappy or zstandard", errAvro, Clip(r.codec))
	}
	return schema, r.full(r.sync[:])
}

// block reads the next block: the number of its rows and their bytes.
func (r *avroReader) block() (rows int64, data []byte, err error) {
	rows, err = r.long()
	if errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, nil, errLastBlock
	}
	if err != nil {
		return 0, nil, err
	}
	size, err := r.long()
	if err != nil {
		return 0, nil, err
	}
	if rows < 0 || size < 0 || size > maxAvroBlock {
		return 0, nil, fmt.Errorf("%w: a block of %d rows and %d bytes", errAvro, rows, size)
	}
	// The size is believed as far as bytes come.
	buf := bytes.NewBuffer(r.store[:0])
	n, err := io.CopyN(buf, r.in, size)
	r.offset += n
	if err != nil {
		return 0, nil, err
	}
	r.store = buf.Bytes()
	var mark [16]byte
	if err := r.full(mark[:]); err != nil {
		return 0, nil, err
	}
	if mark != r.sync {
		return 0, nil, fmt.Errorf("%w: a block does not end where it says", errAvro)
	}
	data, err = r.unpack(r.store)
	return rows, data, err
}
