package pg

import (
	"context"
	"errors"
	"io"

	"github.com/jackc/pgx/v5/pgconn"
)

// errDiscarded ends the COPY of a discarded stage.
var errDiscarded = errors.New("the stage was discarded")

// copyDepth is how many full buffers may wait for the server.
const copyDepth = 4

// CopyWriter sends buffers of encoded tuples from a separate goroutine, so that the server takes rows while the next
// ones are encoded. Consecutive buffers of one statement travel in one COPY. It owns the connection until Finish or
// Discard returns.
type CopyWriter struct {
	work chan CopyWork
	free chan []byte   // buffers to reuse
	quit chan struct{} // closed to discard
	done chan struct{} // closed when nothing more is sent
	err  error         // valid after done
}

// CopyWork is a buffer for a COPY statement, or a function to run between two.
type CopyWork struct {
	SQL string
	Buf []byte
	do  func() error
}

// StartCopies starts sending on conn, which must not be used until Finish or Discard.
func StartCopies(ctx context.Context, conn *pgconn.PgConn) *CopyWriter {
	w := &CopyWriter{
		work: make(chan CopyWork, copyDepth), free: make(chan []byte, copyDepth),
		quit: make(chan struct{}), done: make(chan struct{}),
	}
	go func() {
		defer close(w.done)
		w.err = w.run(ctx, conn)
	}()
	return w
}

func (w *CopyWriter) run(ctx context.Context, conn *pgconn.PgConn) error {
	next, more := w.take()
	for more {
		if next.do != nil {
			if err := next.do(); err != nil {
				return err
			}
			next, more = w.take()
			continue
		}
		s := &copyStream{writer: w, sql: next.SQL, rest: []byte(CopyHeader), following: next.Buf}
		if _, err := conn.CopyFrom(ctx, s, next.SQL); err != nil {
			if s.discarded {
				return errDiscarded
			}
			return err
		}
		next, more = s.next, s.more
	}
	return nil
}

func (w *CopyWriter) take() (CopyWork, bool) {
	select {
	case work, more := <-w.work:
		return work, more
	case <-w.quit:
		return CopyWork{}, false
	}
}

// copyStream is one COPY: the buffers of its statement until work of another kind comes.
type copyStream struct {
	writer    *CopyWriter
	sql       string
	rest      []byte // not read yet
	whole     []byte // the buffer of rest, for the next user
	following []byte // read after rest
	ended     bool
	discarded bool

	next CopyWork // work after this COPY
	more bool
}

func (s *copyStream) Read(p []byte) (int, error) {
	for len(s.rest) == 0 {
		if s.ended {
			return 0, io.EOF
		}
		if s.whole != nil {
			select {
			case s.writer.free <- s.whole[:0]:
			default:
			}
			s.whole = nil
		}
		if s.following != nil {
			s.rest, s.whole, s.following = s.following, s.following, nil
			continue
		}
		select {
		case s.next, s.more = <-s.writer.work:
		case <-s.writer.quit:
			s.discarded = true
			return 0, errDiscarded
		}
		if s.more && s.next.do == nil && s.next.SQL == s.sql {
			s.rest, s.whole = s.next.Buf, s.next.Buf
			continue
		}
		s.rest, s.ended = []byte{0xff, 0xff}, true // end of data
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// Put queues work and takes over its buffer.
func (w *CopyWriter) Put(ctx context.Context, work CopyWork) error {
	select {
	case w.work <- work:
		return nil
	case <-w.done:
		return w.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Between runs f after all earlier work has been sent, with the connection free for f to use, and returns f's error.
func (w *CopyWriter) Between(ctx context.Context, f func() error) error {
	var err error
	ran := make(chan struct{})
	if err := w.Put(ctx, CopyWork{do: func() error {
		defer close(ran)
		err = f()
		return err
	}}); err != nil {
		return err
	}
	select {
	case <-ran:
		return err
	case <-w.done:
		return w.err
	}
}

// Buffer returns an empty buffer.
func (w *CopyWriter) Buffer() []byte {
	select {
	case b := <-w.free:
		return b
	default:
		return make([]byte, 0, CopyFlush+CopyFlush/8)
	}
}

// Finish waits until everything is sent and releases the connection.
func (w *CopyWriter) Finish() error {
	close(w.work)
	<-w.done
	return w.err
}

// Discard drops unsent work and releases the connection.
func (w *CopyWriter) Discard() {
	close(w.quit)
	<-w.done
}
