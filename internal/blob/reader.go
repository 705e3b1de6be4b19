package blob

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Limits bound what an archive may unpack to.
type Limits struct {
	// MaxBytes is the most unpacked bytes; 0 = DefaultMaxBytes.
	MaxBytes int64
	// MaxRatio is the most unpacked bytes per stored byte, applied beyond the
	// first 64 MiB; 0 = DefaultMaxRatio.
	MaxRatio int64
}

// Defaults of Limits. Telemetry text packs up to 60 : 1 with gzip.
const (
	DefaultMaxBytes = 1 << 40
	DefaultMaxRatio = 1000

	ratioFree   = 64 << 20
	bufferSize  = 256 << 10
	zstdMaxSize = 128 << 20 // largest zstd window accepted
)

// Errors of a damaged or hostile archive.
var (
	ErrTruncated = errors.New("the file is truncated: its compressed data ends in the middle; fetch it again")
	ErrDamaged   = errors.New("the compressed data is damaged; fetch the file again")
	ErrTooLarge  = errors.New("the file unpacks to more than the limit")
)

// Reader reads the unpacked content of a file and digests the stored bytes.
type Reader struct {
	file   *os.File
	name   string
	stored *counter
	in     io.Reader // unpacked
	closer func()
	packed bool
	limits Limits
	out    int64
	failed error
}

// counter counts and hashes the stored bytes on their way to the decoder.
type counter struct {
	r io.Reader
	h hash.Hash
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.h.Write(p[:n])
	c.n += int64(n)
	return n, err
}

// Open opens the file for streaming, unpacking gzip or zstd when its first
// bytes say so. Several gzip members are one stream.
func (f File) Open(limits Limits) (*Reader, error) {
	if limits.MaxBytes == 0 {
		limits.MaxBytes = DefaultMaxBytes
	}
	if limits.MaxRatio == 0 {
		limits.MaxRatio = DefaultMaxRatio
	}
	file, err := os.Open(f.Path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", f.Name, plain(err))
	}
	r := &Reader{file: file, name: f.Name, limits: limits, stored: &counter{r: file, h: sha256.New()}}
	buffered := bufio.NewReaderSize(r.stored, bufferSize)
	magic, err := buffered.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		_ = file.Close() // the read error is the one to report
		return nil, fmt.Errorf("read %s: %w", f.Name, plain(err))
	}
	if err := r.unpack(buffered, magic); err != nil {
		_ = file.Close() // as above
		return nil, fmt.Errorf("read %s: %w", f.Name, err)
	}
	return r, nil
}

func (r *Reader) unpack(in *bufio.Reader, magic []byte) error {
	r.in, r.closer = in, func() {}
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(in)
		if err != nil {
			return damage(err)
		}
		r.in, r.packed = z, true
	case bytes.Equal(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(in, zstd.WithDecoderMaxWindow(zstdMaxSize), zstd.WithDecoderConcurrency(1))
		if err != nil {
			return damage(err)
		}
		r.in, r.closer, r.packed = z, z.Close, true
	}
	return nil
}

func damage(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return ErrTruncated
	default:
		return fmt.Errorf("%w (%s)", ErrDamaged, err.Error())
	}
}

// Read implements io.Reader. Errors name the file. Any error but io.EOF stays.
func (r *Reader) Read(p []byte) (int, error) {
	if r.failed != nil {
		return 0, r.failed
	}
	n, err := r.in.Read(p)
	r.out += int64(n)
	if r.out > r.limits.MaxBytes || (r.packed && r.out > ratioFree && r.out/r.limits.MaxRatio > r.stored.n) {
		r.failed = fmt.Errorf("read %s: %w (%d bytes unpacked from %d)", r.name, ErrTooLarge, r.out, r.stored.n)
		return 0, r.failed
	}
	if err == nil || err == io.EOF { //nolint:errorlint // io.Reader's contract is the bare io.EOF
		return n, err
	}
	if r.packed {
		err = damage(err)
	}
	r.failed = fmt.Errorf("read %s: %w", r.name, err)
	return n, r.failed
}

// Sum reads what is left of the stored bytes and returns their SHA-256 and
// count.
func (r *Reader) Sum() (sum [32]byte, n int64, err error) {
	if _, err := io.Copy(io.Discard, r.stored); err != nil {
		return sum, 0, fmt.Errorf("read %s: %w", r.name, plain(err))
	}
	copy(sum[:], r.stored.h.Sum(nil))
	return sum, r.stored.n, nil
}

// Close releases the file.
func (r *Reader) Close() error {
	r.closer()
	return r.file.Close()
}

// Head returns up to n unpacked bytes from the start, for detection. A file
// shorter than n is no error.
func (f File) Head(n int) ([]byte, error) {
	r, err := f.Open(Limits{})
	if err != nil {
		return nil, err
	}
	head := make([]byte, n)
	got, err := io.ReadFull(r, head)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	if cerr := r.Close(); err == nil {
		err = cerr
	}
	return head[:got], err
}

// Random is random access to stored bytes.
type Random interface {
	io.ReaderAt
	io.ReadSeeker
	io.Closer
}

// At opens the stored bytes for random access, as Parquet needs. The caller
// closes it.
func (f File) At() (Random, error) {
	file, err := os.Open(f.Path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", f.Name, plain(err))
	}
	return file, nil
}

// Sum returns the SHA-256 and the number of the stored bytes.
func (f File) Sum() (sum [32]byte, n int64, err error) {
	file, err := f.At()
	if err != nil {
		return sum, 0, err
	}
	defer func() {
		if cerr := file.Close(); err == nil {
			err = cerr
		}
	}()
	h := sha256.New()
	if n, err = io.Copy(h, file); err != nil {
		return sum, 0, fmt.Errorf("read %s: %w", f.Name, plain(err))
	}
	copy(sum[:], h.Sum(nil))
	return sum, n, nil
}
