package blob

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Limits bound the unpacked size of an archive.
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
	DefaultMaxRatio = 500

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
	raw    io.Closer
	name   string
	stored *counter
	in     io.Reader // unpacked
	closer []func()
	packed bool
	limits Limits
	out    int64
	failed error
}

// counter counts and hashes the stored bytes on their way to the decoder.
type counter struct {
	r      io.Reader
	h      hash.Hash
	n      int64
	meter  *Meter
	failed error // an error of the storage, not of the content
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.h.Write(p[:n])
	c.n += int64(n)
	if c.meter != nil && n > 0 {
		c.meter.Add(int64(n))
	}
	if err != nil && err != io.EOF {
		c.failed = plain(err)
	}
	return n, err
}

func (l Limits) orDefault() Limits {
	if l.MaxBytes == 0 {
		l.MaxBytes = DefaultMaxBytes
	}
	if l.MaxRatio == 0 {
		l.MaxRatio = DefaultMaxRatio
	}
	return l
}

// exceeded reports whether out bytes from stored ones are too many.
func (l Limits) exceeded(out, stored int64) bool {
	return out > l.MaxBytes || (out > ratioFree && out/l.MaxRatio > stored)
}

// Open opens the file for streaming and unpacks gzip or zstd if its first bytes show it. Several gzip members are one
// stream.
func (f File) Open(limits Limits) (*Reader, error) {
	src := f.source()
	raw, err := src.open()
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", f.Name, plain(err))
	}
	r := &Reader{
		raw: raw, name: f.Name, limits: limits.orDefault(), stored: &counter{r: raw, h: sha256.New(), meter: f.meter},
	}
	r.in = r.stored
	if e, ok := src.(*zipEntry); ok {
		r.inflate(e)
	}
	if err := r.unpack(); err != nil {
		return nil, errors.Join(fmt.Errorf("read %s: %w", f.Name, r.explain(err)), r.Close())
	}
	return r, nil
}

// unpack looks at the first bytes and puts a decoder in front of them.
func (r *Reader) unpack() error {
	in := bufio.NewReaderSize(r.in, bufferSize)
	magic, err := in.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	r.in = in
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		r.packed = true
		z, err := gzip.NewReader(in)
		if err != nil {
			return err
		}
		r.in = z
	case bytes.Equal(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		r.packed = true
		z, err := zstd.NewReader(in, zstd.WithDecoderMaxWindow(zstdMaxSize), zstd.WithDecoderConcurrency(1))
		if err != nil {
			return err
		}
		r.in, r.closer = z, append(r.closer, z.Close)
	}
	return nil
}

// explain distinguishes errors of the storage from errors of the content.
func (r *Reader) explain(err error) error {
	switch {
	case r.stored.failed != nil:
		return r.stored.failed
	case !r.packed, errors.Is(err, ErrDamaged), errors.Is(err, ErrTruncated), errors.Is(err, ErrTooLarge):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fmt.Errorf("%w (at stored byte %d)", ErrTruncated, r.stored.n)
	default:
		return fmt.Errorf("%w (near stored byte %d: %s)", ErrDamaged, r.stored.n, err.Error())
	}
}

// Read implements io.Reader. Errors name the file. Any error but io.EOF stays.
func (r *Reader) Read(p []byte) (int, error) {
	if r.failed != nil {
		return 0, r.failed
	}
	n, err := r.in.Read(p)
	r.out += int64(n)
	if r.out > r.limits.MaxBytes || r.packed && r.limits.exceeded(r.out, r.stored.n) {
		r.failed = fmt.Errorf("read %s: %w (%d bytes unpacked from %d)", r.name, ErrTooLarge, r.out, r.stored.n)
		return 0, r.failed
	}
	if err == nil || err == io.EOF {
		return n, err
	}
	r.failed = fmt.Errorf("read %s: %w", r.name, r.explain(err))
	return n, r.failed
}

// Sum reads the rest of the stored bytes and returns their SHA-256 and count.
func (r *Reader) Sum() (sum [32]byte, n int64, err error) {
	if _, err := io.Copy(io.Discard, r.stored); err != nil {
		return sum, 0, fmt.Errorf("read %s: %w", r.name, plain(err))
	}
	copy(sum[:], r.stored.h.Sum(nil))
	return sum, r.stored.n, nil
}

// Close releases the file.
func (r *Reader) Close() error {
	for _, c := range r.closer {
		c()
	}
	return r.raw.Close()
}

// Head returns up to n unpacked bytes from the start, for detection. A file shorter than n is not an error.
func (f File) Head(n int) ([]byte, error) {
	f.meter = nil // detection is not progress
	if r, ok := f.src.(*remoteFile); ok {
		f.src = r.first(n)
	}
	r, err := f.Open(Limits{})
	if err != nil {
		return nil, err
	}
	head := make([]byte, n)
	got, err := io.ReadFull(r, head)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return head[:got], errors.Join(err, r.Close())
}

// Random is random access to stored bytes.
type Random interface {
	io.ReaderAt
	io.ReadSeeker
	io.Closer
}

// At opens the stored bytes for random access, as Parquet needs. The caller closes it. For an archive's entry these are
// the bytes before packing.
func (f File) At() (Random, error) {
	r, err := f.source().random()
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", f.Name, plain(err))
	}
	return &namedRandom{Random: r, name: f.Name, meter: f.meter}, nil
}

// namedRandom names the file in errors and counts bytes read.
type namedRandom struct {
	Random
	name  string
	meter *Meter
}

func (r *namedRandom) count(n int, err error) (int, error) {
	if r.meter != nil && n > 0 {
		r.meter.Add(int64(n))
	}
	if err == nil || err == io.EOF { //nolint:errorlint // io.Reader's contract is the bare io.EOF
		return n, err
	}
	return n, fmt.Errorf("read %s: %w", r.name, plain(err))
}

// ReadAt implements io.ReaderAt.
func (r *namedRandom) ReadAt(p []byte, off int64) (int, error) {
	return r.count(r.Random.ReadAt(p, off))
}

// Read implements io.Reader.
func (r *namedRandom) Read(p []byte) (int, error) { return r.count(r.Random.Read(p)) }

// Sum returns the SHA-256 and the number of the stored bytes.
func (f File) Sum() (sum [32]byte, n int64, err error) {
	raw, err := f.source().open()
	if err != nil {
		return sum, 0, fmt.Errorf("open %s: %w", f.Name, plain(err))
	}
	defer func() { err = errors.Join(err, raw.Close()) }()
	h := sha256.New()
	if n, err = io.CopyBuffer(h, raw, make([]byte, bufferSize)); err != nil {
		return sum, 0, fmt.Errorf("read %s: %w", f.Name, plain(err))
	}
	copy(sum[:], h.Sum(nil))
	return sum, n, nil
}
