package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"time"
)

// Bounds of resuming after a broken connection.
const (
	maxResumes  = 5                      // without progress between them
	progress    = 1 << 20                // bytes that count as progress
	firstWait   = 200 * time.Millisecond // doubled each time
	longestWait = 10 * time.Second
)

// remoteFile is an object of a store.
type remoteFile struct {
	ctx    context.Context //nolint:containedctx // of the listing; File.Open has none by design, see doc.go
	object Object
}

func (r *remoteFile) open() (io.ReadCloser, error) {
	if r.object.Size == UnknownSize {
		return r.object.Content.Range(r.ctx, 0, UnknownSize)
	}
	return &body{r: r, end: r.object.Size}, nil
}

// first is the beginning of the file, enough for n unpacked bytes: detection must not fetch all of a large object. A
// decoder reads its input by the buffer, and zstd by the block.
func (r *remoteFile) first(n int) *remoteFile {
	object := r.object
	if object.Size != UnknownSize {
		object.Size = min(object.Size, int64(n)+2*bufferSize)
	}
	return &remoteFile{ctx: r.ctx, object: object}
}

func (r *remoteFile) random() (Random, error) {
	if r.object.Size == UnknownSize {
		return r.spooled()
	}
	return newBlocks(r), nil
}

// spooled copies an object that can only be streamed into a temporary file without a name.
func (r *remoteFile) spooled() (Random, error) {
	in, err := r.open()
	if err != nil {
		return nil, err
	}
	out, err := NewSpool()
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	_, err = io.CopyBuffer(out.File, in, make([]byte, bufferSize))
	if err == nil {
		_, err = out.Seek(0, io.SeekStart)
	}
	if err = errors.Join(err, in.Close()); err != nil {
		return nil, errors.Join(err, out.Close())
	}
	return out, nil
}

// body reads [at, end) of an object and requests the rest again when the connection breaks. All requests are for the
// same version.
type body struct {
	r       *remoteFile
	at, end int64
	in      io.ReadCloser
	fails   int
	since   int64 // bytes since the last break
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for {
		if b.at >= b.end {
			return 0, io.EOF
		}
		if b.in == nil {
			in, err := b.r.object.Content.Range(b.r.ctx, b.at, b.end)
			if err != nil {
				return 0, err // the store's client has retried already
			}
			b.in = in
		}
		n, err := b.in.Read(p[:min(int64(len(p)), b.end-b.at)])
		b.at += int64(n)
		if b.since += int64(n); b.since > progress {
			b.fails = 0
		}
		switch {
		case err == nil || n > 0 && b.at == b.end:
			return n, nil
		case errors.Is(err, ErrChanged):
			return n, err
		}
		if err := b.pause(err); err != nil {
			return n, err
		}
		if n > 0 {
			return n, nil
		}
	}
}

// pause waits after a broken connection; it returns an error if continuing is pointless.
func (b *body) pause(cause error) error {
	_ = b.in.Close() // broken already
	b.in, b.since = nil, 0
	if err := b.r.ctx.Err(); err != nil {
		return err
	}
	if b.fails++; b.fails > maxResumes {
		if errors.Is(cause, io.EOF) {
			cause = io.ErrUnexpectedEOF
		}
		return fmt.Errorf("%s: the connection broke at byte %d, %d times in a row: %w", b.r.object.Address, b.at, b.fails,
			cause)
	}
	wait := min(firstWait<<(b.fails-1), longestWait)
	timer := time.NewTimer(wait/2 + rand.N(wait/2)) //nolint:gosec // jitter
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-b.r.ctx.Done():
		return b.r.ctx.Err()
	}
}

// Close releases the connection.
func (b *body) Close() error {
	if b.in == nil {
		return nil
	}
	err := b.in.Close()
	b.in = nil
	return err
}

// readFull reads [from, from+len(p)) of the object.
func (r *remoteFile) readFull(p []byte, from int64) error {
	b := &body{r: r, at: from, end: from + int64(len(p))}
	_, err := io.ReadFull(b, p)
	return errors.Join(err, b.Close())
}
