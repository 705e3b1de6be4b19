package table

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"

	"github.com/hamba/avro/v2"
	"github.com/hamba/avro/v2/ocf"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
)

// avroMagic begins every container file.
const avroMagic = "Obj\x01"

// Bounds of one file. Writers use blocks of 16 KiB to 4 MiB.
const (
	maxAvroHeader = 4 << 20
	maxAvroBlock  = 64 << 20 // stored and unpacked
)

// avroConfig allows a value as long as its block.
var avroConfig = avro.WithReaderConfig(avro.Config{MaxByteSliceSize: maxAvroBlock}.Freeze())

var errLastBlock = errors.New("no more blocks")

// avroSource counts the bytes read, and keeps the file's error: the library treats every error
// as the end of the file.
type avroSource struct {
	in  io.Reader
	max int64
	n   int64
	err error
}

func (s *avroSource) Read(p []byte) (int, error) {
	if s.n >= s.max {
		return 0, io.EOF
	}
	n, err := s.in.Read(p)
	s.n += int64(n)
	if err != nil && !ended(err) {
		s.err = err
	}
	return n, err
}

// avroFile splits a container file into blocks. The library's own decoder is unsafe: it
// allocates whatever size a block claims, and for a file that is cut inside a block it reports
// a normal end, with fewer rows.
type avroFile struct {
	source *avroSource
	reader *avro.Reader
	header ocf.Header
	stored []byte // of the current block
	out    []byte // unpacked
}

func newAvroFile(in io.Reader) avroFile {
	source := &avroSource{in: in, max: maxAvroHeader}
	return avroFile{source: source, reader: avro.NewReader(source, 4<<10, avroConfig)}
}

// schema reads everything before the first block and returns the schema.
func (f *avroFile) schema() (string, error) {
	f.reader.ReadVal(ocf.HeaderSchema, &f.header)
	switch err := f.reader.Error; {
	case err != nil && f.source.n >= f.source.max:
		return "", fmt.Errorf("the header is longer than %d bytes", maxAvroHeader)
	case err != nil:
		return "", err
	}
	f.source.max = math.MaxInt64
	switch codec := f.codec(); codec {
	case "", ocf.Null, ocf.Deflate, ocf.Snappy, ocf.ZStandard:
	default:
		return "", fmt.Errorf("codec %q is not known; write it with deflate, snappy or zstandard", Clip(string(codec)))
	}
	return string(f.header.Meta["avro.schema"]), nil
}

func (f *avroFile) codec() ocf.CodecName { return ocf.CodecName(f.header.Meta["avro.codec"]) }

// block reads the next block: the number of its rows and their bytes.
func (f *avroFile) block() (rows int64, data []byte, err error) {
	r := f.reader
	if r.Peek(); errors.Is(r.Error, io.EOF) {
		return 0, nil, errLastBlock
	}
	rows, size := r.ReadLong(), r.ReadLong()
	if r.Error != nil {
		return 0, nil, r.Error
	}
	if rows < 0 || size < 0 || size > maxAvroBlock {
		return 0, nil, fmt.Errorf("a block of %d rows and %d bytes", rows, size)
	}
	f.stored = slices.Grow(f.stored[:0], int(size))[:size]
	r.Read(f.stored)
	var mark [16]byte
	r.Read(mark[:])
	if r.Error != nil {
		return 0, nil, r.Error
	}
	if mark != f.header.Sync {
		return 0, nil, errors.New("a block is not as long as its header says")
	}
	if data, err = f.unpack(f.stored); err == nil && rows > int64(len(data)) {
		err = fmt.Errorf("a block of %d rows in %d bytes", rows, len(data))
	}
	return rows, data, err
}

// unpack decompresses a block, within maxAvroBlock. The library's codecs have no limit, so a
// few bytes could take all memory.
func (f *avroFile) unpack(packed []byte) ([]byte, error) {
	var in io.Reader
	switch f.codec() {
	case ocf.Deflate:
		in = flate.NewReader(bytes.NewReader(packed))
	case ocf.ZStandard:
		z, err := zstd.NewReader(bytes.NewReader(packed), zstd.WithDecoderMaxWindow(maxAvroBlock),
			zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, err
		}
		defer z.Close()
		in = z
	case ocf.Snappy:
		return f.unsnap(packed)
	default:
		return packed, nil
	}
	buf := bytes.NewBuffer(f.out[:0])
	n, err := io.Copy(buf, io.LimitReader(in, maxAvroBlock+1))
	f.out = buf.Bytes()
	switch {
	case err != nil:
		return nil, fmt.Errorf("a block does not unpack: %s", err.Error())
	case n > maxAvroBlock:
		return nil, fmt.Errorf("a block unpacks to more than %d bytes", maxAvroBlock)
	}
	return f.out, nil
}

// unsnap decompresses a snappy block and verifies the checksum after it.
func (f *avroFile) unsnap(packed []byte) ([]byte, error) {
	if len(packed) < 4 {
		return nil, errors.New("a block without its checksum")
	}
	body, sum := packed[:len(packed)-4], binary.BigEndian.Uint32(packed[len(packed)-4:])
	n, err := snappy.DecodedLen(body)
	if err != nil || n > maxAvroBlock {
		return nil, fmt.Errorf("a block unpacks to %d bytes", n)
	}
	if n > cap(f.out) {
		f.out = make([]byte, n)
	}
	out, err := snappy.Decode(f.out[:cap(f.out)], body)
	if err != nil || crc32.ChecksumIEEE(out) != sum {
		return nil, errors.New("a block's checksum is wrong")
	}
	return out, nil
}
