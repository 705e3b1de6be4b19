package api

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"gpuledger/internal/access"
	details "gpuledger/internal/problem"
	"gpuledger/metrics"
)

// Questions that take long are answered later: a request with the header Prefer: respond-async gets an address at once,
// and the answer is made into a file that only the asker can fetch. Queries live in this process, and their files have
// no name, so that the system frees them when it ends.

// Later are the bounds of deferred queries. A zero means the default, which is given after each semicolon.
type Later struct {
	Dir      string        // of the answers; empty: the system's folder for temporary files
	AtOnce   int           // made at once; DeferredAtOnce
	OfOne    int           // of one asker, made or waiting; 4
	Kept     int           // answers of one asker, fetched or not; 20
	Age      time.Duration // of an answer, from its end; 1 h
	Longest  time.Duration // to make an answer; 30 min
	Largest  int64         // answer, in bytes; 4 GiB
	Together int64         // all answers, in bytes; 16 GiB
}

// DeferredAtOnce is how many deferred queries are answered at once. Each holds a connection to the database.
const DeferredAtOnce = 2

func (l Later) withDefaults() Later {
	return Later{
		Dir: l.Dir, AtOnce: cmp.Or(l.AtOnce, DeferredAtOnce), OfOne: cmp.Or(l.OfOne, 4), Kept: cmp.Or(l.Kept, 20),
		Age: cmp.Or(l.Age, time.Hour), Longest: cmp.Or(l.Longest, 30*time.Minute),
		Largest: cmp.Or(l.Largest, 4<<30), Together: cmp.Or(l.Together, 16<<30),
	}
}

// Deferring lets clients defer questions, until ctx ends. now is the clock.
func (a *API) Deferring(ctx context.Context, bounds Later, now func() time.Time) *API {
	bounds = bounds.withDefaults()
	a.later = &later{
		Later: bounds, ctx: ctx, now: now, turns: make(chan struct{}, bounds.AtOnce), queries: map[string]*query{},
	}
	return a
}

// later holds the deferred queries.
type later struct {
	Later
	ctx   context.Context
	now   func() time.Time
	turns chan struct{} // one per query that is being answered

	mu      sync.Mutex
	queries map[string]*query // by id
	bytes   int64             // of all answers
}

// States of a deferred query.
const (
	stateWaiting = "waiting"
	stateRunning = "running"
	stateDone    = "done"
	stateFailed  = "failed"
)

// query is a deferred query. Its later's lock guards it; the request is the maker's until the query is done.
type query struct {
	id, asker   string
	address     string // of the question
	req         *request
	state       string
	asked       time.Time
	ended       time.Time
	size        int64
	tag         string
	file        *os.File // of the answer, without a name
	fault       *problem
	stop        context.CancelFunc
	dataset     string
	contentType string
	fileName    string
	disposed    bool // browsers save it as a file
	reading     int  // requests that read the file
	dropped     bool // the file is closed after the last reader
}

// askerOf identifies the asker: another user, or the same one with another scope, finds none of the queries. Without
// access control, all clients are one asker.
func askerOf(v *access.Viewer) string {
	if v == nil {
		return ""
	}
	return strings.Join([]string{string(v.Kind), v.ID, v.By, string(v.Role), v.Scope, v.Members}, "\x00")
}

// tooManyError refuses a query, since the asker has too many.
type tooManyError struct{ reason string }

// Error implements error.
func (e *tooManyError) Error() string { return e.reason }

// noQueryError answers a query that is not the asker's, or no longer kept.
type noQueryError struct {
	id  string
	age time.Duration
}

// Error implements error.
func (e *noQueryError) Error() string {
	return fmt.Sprintf("there is no query %q of yours; an answer is kept for %s, and until the server ends", e.id, e.age)
}

// add begins a query.
func (l *later) add(q *query) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	made, kept := 0, 0
	for _, have := range l.queries {
		switch {
		case have.asker != q.asker:
		case have.state == stateWaiting || have.state == stateRunning:
			made++
		default:
			kept++
		}
	}
	switch {
	case made >= l.OfOne:
		return &tooManyError{fmt.Sprintf("%d of your queries are not answered yet; wait for one, or delete it", made)}
	case kept >= l.Kept:
		return &tooManyError{fmt.Sprintf("%d answers are kept for you; delete those that you have fetched", kept)}
	}
	l.queries[q.id] = q
	return nil
}

// find returns a query of an asker.
func (l *later) find(id, asker string) (*query, error) {
	if q := l.queries[id]; q != nil && q.asker == asker {
		return q, nil
	}
	return nil, &noQueryError{id, l.Age}
}

// drop forgets a query and stops its making.
func (l *later) drop(q *query) {
	if l.queries[q.id] != q {
		return
	}
	delete(l.queries, q.id)
	q.stop()
	q.dropped = true
	l.free(q)
}

// free closes the file of a dropped query after its last reader.
func (l *later) free(q *query) {
	if q.file == nil || q.reading > 0 || !q.dropped {
		return
	}
	_ = q.file.Close() // it is only read
	q.file = nil
	l.bytes -= q.size
	q.size = 0
}

// run waits for its turn and makes the answer.
func (a *API) run(ctx context.Context, q *query) {
	l := a.later
	defer q.stop()
	select {
	case l.turns <- struct{}{}:
		defer func() { <-l.turns }()
	case <-ctx.Done():
		return // it is dropped, or the server ends
	}
	l.mu.Lock()
	q.state = stateRunning
	l.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, l.Longest)
	defer cancel()
	err := a.spool(ctx, q)
	l.mu.Lock()
	defer l.mu.Unlock()
	q.ended, q.state = l.now(), stateDone
	if err != nil {
		if q.state, q.fault = stateFailed, a.problemOf(ctx, q.address, err); q.fault == nil { // it was stopped
			q.fault = &problem{Title: "stopped", Status: http.StatusGone, Detail: "the query was stopped"}
		}
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			q.fault.Detail = fmt.Sprintf("the answer took longer than %s; narrow the question", l.Longest)
		}
		q.fault.Type = details.Type(q.fault.Title)
	}
	time.AfterFunc(l.Age, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.drop(q)
	})
}

// spool writes the answer to a file without a name.
func (a *API) spool(ctx context.Context, q *query) error {
	l := a.later
	if err := a.admit(ctx, q.req); err != nil { // the ledger may have changed in between
		return err
	}
	file, err := os.CreateTemp(l.Dir, "gpuledger-query-*")
	if err != nil {
		return fmt.Errorf("an answer needs a file: %w", err)
	}
	if err := os.Remove(file.Name()); err != nil { // the open file stays readable
		return errors.Join(err, file.Close())
	}
	err = a.write(ctx, &spooled{to: file, of: l, query: q}, q.req)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil || q.dropped {
		l.bytes -= q.size
		q.size = 0
		return errors.Join(err, file.Close())
	}
	sum := sha256.Sum256([]byte(q.id + "\x00" + q.req.version.Tag))
	q.file, q.tag = file, `"`+hex.EncodeToString(sum[:12])+`"`
	return nil
}

// spooled writes an answer within the bounds.
type spooled struct {
	to    io.Writer
	of    *later
	query *query
}

// Write implements io.Writer.
func (s *spooled) Write(p []byte) (int, error) {
	l, n := s.of, int64(len(p))
	l.mu.Lock()
	var err error
	switch {
	case s.query.size+n > l.Largest:
		err = &metrics.OptionError{Option: "query", Reason: fmt.Sprintf("has an answer of more than %d MiB; narrow it, or "+
			"fetch it at once as a stream, without Prefer: respond-async", l.Largest>>20)}
	case l.bytes+n > l.Together:
		err = &tooManyError{fmt.Sprintf("the server keeps %d MiB of answers, which is all that it has room for; delete "+
			"those that you have fetched, and ask again", l.bytes>>20)}
	default:
		s.query.size += n
		l.bytes += n
	}
	l.mu.Unlock()
	if err != nil {
		return 0, err
	}
	return s.to.Write(p)
}

// newID is the name of a query in addresses. It cannot be guessed.
func newID() string {
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails (crypto/rand)
	return hex.EncodeToString(id[:])
}

// of are the queries of an asker, the newest first.
func (l *later) of(asker string) []*query {
	var list []*query
	for _, q := range l.queries {
		if q.asker == asker {
			list = append(list, q)
		}
	}
	slices.SortFunc(list, func(a, b *query) int {
		return cmp.Or(b.asked.Compare(a.asked), strings.Compare(a.id, b.id))
	})
	return list
}
