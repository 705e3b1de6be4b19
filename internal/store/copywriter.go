package store

import (
	"context"
	"errors"
	"io"

	"github.com/jackc/pgx/v5/pgconn"
)

// errDiscarded ends the COPY of a stage that is given up.
var errDiscarded = errors.New("the stage was discarded")

// copyDepth is how many full buffers may wait for the server.
const copyDepth = 4

// copyWriter sends buffers of encoded tuples from a goroutine of its own, so
// that the server takes rows while the next are made. Buffers of one statement
// in a row travel in one COPY. It owns the connection until finish returns.
type copyWriter struct {
	work chan copyWork
	free chan []byte   // buffers to use again
	quit chan struct{} // closed: give up
	done chan struct{} // closed when nothing more is sent
	err  error         // valid after done
}

// copyWork is a buffer for a COPY statement, or something to do between two.
type copyWork struct {
	sql string
	buf []byte
	do  func() error
}

func startCopies(ctx context.Context, conn *pgconn.PgConn) *copyWriter {
	w := &copyWriter{work: make(chan copyWork, copyDepth), free: make(chan []byte, copyDepth), quit: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(w.done)
		w.err = w.run(ctx, conn)
	}()
	return w
}

func (w *copyWriter) run(ctx context.Context, conn *pgconn.PgConn) error {
	next, more := w.take()
	for more {
		if next.do != nil {
			if err := next.do(); err != nil {
				return err
			}
			next, more = w.take()
			continue
		}
		s := &copyStream{writer: w, sql: next.sql, rest: []byte(copyHeader), following: next.buf}
		if _, err := conn.CopyFrom(ctx, s, next.sql); err != nil {
			if s.discarded {
				return errDiscarded
			}
			return err
		}
		next, more = s.next, s.more
	}
	return nil
}

func (w *copyWriter) take() (copyWork, bool) {
	select {
	case work, more := <-w.work:
		return work, more
	case <-w.quit:
		return copyWork{}, false
	}
}

// copyStream is the text of one COPY: the buffers of its statement until work
// of another kind comes.
type copyStream struct {
	writer    *copyWriter
	sql       string
	rest      []byte // not read yet
	whole     []byte // the buffer of rest, for the next user
	following []byte // to be read after rest
	ended     bool
	discarded bool

	next copyWork // what comes after this COPY
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
		if s.more && s.next.do == nil && s.next.sql == s.sql {
			s.rest, s.whole = s.next.buf, s.next.buf
			continue
		}
		s.rest, s.ended = []byte{0xff, 0xff}, true // end of data
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// put hands over work; a buffer passes to the writer.
func (w *copyWriter) put(ctx context.Context, work copyWork) error {
	select {
	case w.work <- work:
		return nil
	case <-w.done:
		return w.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// between runs f when all that was put before has been sent, with the
// connection free for it, and returns its error.
func (w *copyWriter) between(ctx context.Context, f func() error) error {
	var err error
	ran := make(chan struct{})
	if err := w.put(ctx, copyWork{do: func() error {
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

// buffer returns an empty buffer.
func (w *copyWriter) buffer() []byte {
	select {
	case b := <-w.free:
		return b
	default:
		return make([]byte, 0, copyFlush+copyFlush/8)
	}
}

// finish waits until everything is sent and gives the connection back.
func (w *copyWriter) finish() error {
	close(w.work)
	<-w.done
	return w.err
}

// discard gives up what is not sent yet and gives the connection back.
func (w *copyWriter) discard() {
	close(w.quit)
	<-w.done
}
