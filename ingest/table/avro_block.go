package table

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
)

// unpack decodes the bytes of a block, within maxAvroBlock.
func (r *avroReader) unpack(packed []byte) ([]byte, error) {
	var in io.Reader
	switch r.codec {
	case "deflate":
		in = flate.NewReader(bytes.NewReader(packed))
	case "zstandard":
		z, err := zstd.NewReader(bytes.NewReader(packed), zstd.WithDecoderMaxWindow(maxAvroBlock), zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errAvro, err)
		}
		defer z.Close()
		in = z
	case "snappy":
		return r.unsnap(packed)
	default:
		return packed, nil
	}
	buf := bytes.NewBuffer(r.out[:0])
	n, err := io.Copy(buf, io.LimitReader(in, maxAvroBlock+1))
	r.out = buf.Bytes()
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: a block does not unpack: %s", errAvro, err.Error())
	case n > maxAvroBlock:
		return nil, fmt.Errorf("%w: a block unpacks to more than %d bytes", errAvro, maxAvroBlock)
	}
	return r.out, nil
}

// unsnap decodes a snappy block and the checksum behind it.
func (r *avroReader) unsnap(packed []byte) ([]byte, error) {
	if len(packed) < 4 {
		return nil, fmt.Errorf("%w: a block without its checksum", errAvro)
	}
	body, sum := packed[:len(packed)-4], binary.BigEndian.Uint32(packed[len(packed)-4:])
	n, err := snappy.DecodedLen(body)
	if err != nil || n > maxAvroBlock {
		return nil, fmt.Errorf("%w: a block unpacks to %d bytes", errAvro, n)
	}
	if n > cap(r.out) {
		r.out = make([]byte, n)
	}
	out, err := snappy.Decode(r.out[:cap(r.out)], body)
	if err != nil || crc32.ChecksumIEEE(out) != sum {
		return nil, fmt.Errorf("%w: a block's checksum is wrong", errAvro)
	}
	return out, nil
}
