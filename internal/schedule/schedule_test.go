package schedule

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/ingest"
	"gpuledger/internal/blob"
	"gpuledger/internal/config"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/test/pgtest"
)

// office is a database with sources and counters of the work done.
type office struct {
	t     *testing.T
	dsn   string
	store *store.Store

	mu        sync.Mutex
	now       time.Time
	imports   []string
	allocated int
	answer    func(ctx context.Context, source string, try int) (ingest.SourceState, error)

	done      chan string   // one source per import
	ledgerRan chan struct{} // one per allocation
}

func newOffice(t *testing.T) *office {
	t.Helper()
	dsn := pgtest.New(t, store.MigrateDSN)
	s, err := store.Open(t.Context(), dsn, pg.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return &office{t: t, dsn: dsn, store: s, now: time.Now().UTC().Truncate(24 * time.Hour).Add(7 * time.Hour),
		done: make(chan string, 100), ledgerRan: make(chan struct{}, 100),
		answer: func(context.Context, string, int) (ingest.SourceState, error) {
			return ingest.SourceState{State: "unchanged", Listing: []byte("l")}, nil
		}}
}

func (o *office) clock() time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.now
}

// start starts a schedule of sources that are due every six hours.
func (o *office) start(names ...string) *Schedule {
	o.t.Helper()
	var sources []config.Source
	for _, n := range names {
		sources = append(sources, config.Source{Name: n, Schedule: config.Schedule{Every: 6 * time.Hour}})
	}
	s, err := Start(o.t.Context(), Options{DSN: o.dsn, Store: o.store, Sources: sources, Now: o.clock,
		RetryAfter: time.Millisecond,
		Log:        slog.New(slog.NewTextHandler(testWriter{o.t}, nil)),
		Import: func(ctx context.Context, source config.Source, _ ingest.SourceState) (ingest.SourceState, error) {
			o.mu.Lock()
			o.imports = append(o.imports, source.Name)
			try := 0
			for _, n := range o.imports {
				if n == source.Name {
					try++
				}
			}
			answer := o.answer
			o.mu.Unlock()
			st, err := answer(ctx, source.Name, try)
			o.done <- source.Name
			return st, err
		},
		Allocate: func(context.Context) error {
			o.mu.Lock()
			o.allocated++
			o.mu.Unlock()
			o.ledgerRan <- struct{}{}
			return nil
		}})
	if err != nil {
		o.t.Fatal(err)
	}
	return s
}

type testWriter struct{ t *testing.T }

func (w testWriter) Write(p []byte) (int, error) { w.t.Logf("%s", p); return len(p), nil }

func (o *office) stop(s *Schedule) {
	o.t.Helper()
	if err := s.Stop(o.t.Context()); err != nil {
		o.t.Fatal(err)
	}
}

// await waits until a source was imported.
func (o *office) await(name string) {
	o.t.Helper()
	timeout := time.After(30 * time.Second)
	for {
		select {
		case got := <-o.done:
			if got == name {
				return
			}
		case <-timeout:
			o.t.Fatalf("%s was not imported", name)
		}
	}
}

func (o *office) count(name string) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := 0
	for _, i := range o.imports {
		if i == name {
			n++
		}
	}
	return n
}

// settled waits until the state of a source is stored.
func (o *office) settled(name string, want string) ingest.SourceState {
	o.t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for time.Now().Before(deadline) {
		st, err := o.store.SourceState(o.t.Context(), name)
		if err != nil {
			o.t.Fatal(err)
		}
		if st.State == want {
			return st
		}
		time.Sleep(5 * time.Millisecond) // another goroutine's commit has no channel
	}
	o.t.Fatalf("%s was never %s", name, want)
	return ingest.SourceState{}
}

func TestRestartsNeitherSkipNorRepeat(t *testing.T) {
	o := newOffice(t)
	s := o.start("aws")
	o.await("aws")
	st := o.settled("aws", "unchanged")
	if want := o.clock().Truncate(6 * time.Hour); !st.Tick.Equal(want) {
		t.Errorf("tick %s, want %s", st.Tick, want)
	}
	o.stop(s)

	s = o.start("aws", "new") // the job of new is created together with that of aws
	o.await("new")
	o.settled("new", "unchanged")
	o.stop(s)
	if n := o.count("aws"); n != 1 {
		t.Errorf("imported %d times at one scheduled time", n)
	}

	o.mu.Lock()
	o.now = o.now.Add(20 * time.Hour) // three scheduled times passed; one import makes up for them
	o.mu.Unlock()
	s = o.start("aws")
	o.await("aws")
	o.stop(s)
	if n := o.count("aws"); n != 2 {
		t.Errorf("%d imports after a long pause", n)
	}
}

func TestTwoProcessesImportOnce(t *testing.T) {
	o := newOffice(t)
	a, b := o.start("x", "y"), o.start("x", "y")
	o.settled("x", "unchanged")
	o.settled("y", "unchanged")
	o.stop(a)
	o.stop(b)
	if x, y := o.count("x"), o.count("y"); x != 1 || y != 1 {
		t.Errorf("imported %d and %d times", x, y)
	}
}

func TestPublishedMeansAllocated(t *testing.T) {
	o := newOffice(t)
	o.answer = func(context.Context, string, int) (ingest.SourceState, error) {
		return ingest.SourceState{State: "published", Listing: []byte("l"), ImportedAt: o.clock()}, nil
	}
	s := o.start("aws")
	o.await("aws")
	select {
	case <-o.ledgerRan:
	case <-time.After(30 * time.Second):
		t.Error("nothing was allocated")
	}
	o.stop(s)
}

func TestFailuresAreTriedAgainAndRefusalsAreNot(t *testing.T) {
	o := newOffice(t)
	o.answer = func(_ context.Context, source string, try int) (ingest.SourceState, error) {
		switch {
		case source == "bad":
			return ingest.SourceState{State: "refused"},
				&ingest.RefusedError{
					Source: "aws-cur", Whole: true, Rejected: 1,
					First: []ingest.Rejection{{File: "a.csv", Line: 7, Reason: "bad number"}},
				}
		case source == "away":
			return ingest.SourceState{State: ingest.SourceFailed},
				&blob.DeniedError{Address: "s3://b", Needs: "s3:ListBucket", Err: errors.New("403")}
		case try < 3:
			return ingest.SourceState{State: "refused"},
				&ingest.RefusedError{Source: "aws-cur", Whole: true, Cause: blob.ErrChanged}
		}
		return ingest.SourceState{State: "unchanged", Listing: []byte("l")}, nil
	}
	s := o.start("flaky", "bad", "away")
	o.settled("flaky", "unchanged")
	bad := o.settled("bad", "refused")
	away := o.settled("away", "failed")
	o.stop(s)
	if n := o.count("flaky"); n != 3 {
		t.Errorf("tried %d times, want 3", n)
	}
	if n := o.count("bad"); n != 1 || bad.Message == "" || bad.Tick.IsZero() {
		t.Errorf("refused files were read %d times: %+v", n, bad)
	}
	if n := o.count("away"); n != maxTries || len(away.Listing) != 0 {
		t.Errorf("tried %d times, want %d", n, maxTries)
	}
}

func TestStopAbortsImportsAndStartResumesThem(t *testing.T) {
	o := newOffice(t)
	entered := make(chan struct{}, 1)
	o.answer = func(ctx context.Context, _ string, try int) (ingest.SourceState, error) {
		if try == 1 {
			entered <- struct{}{}
			<-ctx.Done()
			return ingest.SourceState{State: "refused"}, ctx.Err()
		}
		return ingest.SourceState{State: "unchanged", Listing: []byte("l")}, nil
	}
	s := o.start("aws")
	<-entered
	started := time.Now()
	o.stop(s)
	if took := time.Since(started); took > 10*time.Second {
		t.Errorf("stopping took %s", took)
	}
	if st, err := o.store.SourceState(t.Context(), "aws"); err != nil || !st.Tick.IsZero() {
		t.Errorf("a time that was given up counts as dealt with: %+v %v", st, err)
	}
	// As after kill -9: the job is marked as running, but no process runs it.
	o.exec("update river.river_job set state = 'running', attempt = 1, finalized_at = null, attempted_at = now() " +
		"where kind = 'import'")
	s = o.start("aws")
	o.settled("aws", "unchanged")
	select {
	case <-o.ledgerRan: // the killed job may have published
	case <-time.After(30 * time.Second):
		t.Error("nothing was allocated after a second try")
	}
	o.stop(s)
}

func (o *office) exec(sql string) {
	o.t.Helper()
	conn, err := pgx.Connect(o.t.Context(), o.dsn)
	if err == nil {
		_, err = conn.Exec(o.t.Context(), sql)
		err = errors.Join(err, conn.Close(o.t.Context()))
	}
	if err != nil {
		o.t.Fatal(err)
	}
}

func TestWithoutScheduledSourcesNothingStarts(t *testing.T) {
	dsn := "host=/nonexistent"
	s, err := Start(t.Context(), Options{DSN: dsn, Sources: []config.Source{{Name: "by-hand"}}})
	if s != nil || err != nil {
		t.Fatal(s, err)
	}
	if err := s.Stop(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestMigrateTwiceAtOnce(t *testing.T) {
	dsn := pgtest.Empty(t)
	faults := make([]error, 3)
	var group sync.WaitGroup
	for i := range faults {
		group.Go(func() { faults[i] = Migrate(t.Context(), dsn) })
	}
	group.Wait()
	if err := errors.Join(faults...); err != nil {
		t.Error(err)
	}
}
