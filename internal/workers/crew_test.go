package workers

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"gpuledger/ingest"
	"gpuledger/internal/fleetsim"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/test/pgtest"
)

// office is a database with the facts of a small fleet.
type office struct {
	t     *testing.T
	dsn   string
	store *store.Store

	mu   sync.Mutex
	took []string // workers by the batch that they took
}

var files = sync.OnceValues(func() (*fleetsim.Manifest, error) {
	cfg := fleetsim.Preset(fleetsim.Small)
	cfg.Seed = 11
	fleet, err := fleetsim.New(cfg)
	if err != nil {
		return nil, err
	}
	return fleet.WriteTo(context.Background(), folder)
})

var folder string // of the input files

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "gpuledger-workers-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	folder = dir
	code := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

func newOffice(t *testing.T) *office {
	t.Helper()
	m, err := files()
	if err != nil {
		t.Fatal(err)
	}
	o := &office{t: t, dsn: pgtest.New(t, store.MigrateDSN)}
	o.store = o.open()
	for source, list := range map[string][]string{
		"openmetrics": m.Telemetry, "spot-events": m.Events, "price-book": {m.PriceBook}, "aws-cur": m.AWSCUR,
	} {
		req := ingest.Request{Source: source, Cluster: m.Cluster}
		for _, f := range list {
			req.URIs = append(req.URIs, filepath.Join(folder, f))
		}
		im := ingest.Importer{Store: o.store, Now: time.Now}
		if _, err := im.Import(t.Context(), req); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

// open returns a store that the database sees as a separate process.
func (o *office) open() *store.Store {
	o.t.Helper()
	s, err := store.Open(o.t.Context(), o.dsn, pg.Options{MaxConns: 14})
	if err != nil {
		o.t.Fatal(err)
	}
	o.t.Cleanup(s.Close)
	return s
}

func (o *office) crew(slots int) *Crew {
	o.t.Helper()
	return New(Options{
		Store: &taker{Store: o.open(), office: o}, Slots: slots, Log: slog.New(slog.NewTextHandler(testWriter{o.t}, nil)),
	})
}

// taker records who takes batches, and can lose some of the answers.
type taker struct {
	*store.Store
	office *office
	lost   map[string]bool // by call; nil: no answer is lost
}

var errLost = errors.New("the connection ended before the answer came")

// lose reports whether the answer to a call gets lost: the first of each kind.
func (t *taker) lose(asked string) bool {
	t.office.mu.Lock()
	defer t.office.mu.Unlock()
	if t.lost == nil || t.lost[asked] {
		return false
	}
	t.lost[asked] = true
	return true
}

func (t *taker) SettleBatch(
	ctx context.Context, calculation ledger.ID, batch int, r posting.BatchResult, failed error,
) error {
	if t.lose(fmt.Sprint("settle ", batch)) {
		return errLost
	}
	return t.Store.SettleBatch(ctx, calculation, batch, r, failed)
}

func (t *taker) TakeBatch(ctx context.Context, worker string, slot int) (posting.TakenBatch, bool, error) {
	b, ok, err := t.Store.TakeBatch(ctx, worker, slot)
	if ok && t.lose("take") {
		return posting.TakenBatch{}, false, errLost
	}
	if ok {
		t.office.mu.Lock()
		t.office.took = append(t.office.took, worker)
		t.office.mu.Unlock()
	}
	return b, ok, err
}

type testWriter struct{ t *testing.T }

func (w testWriter) Write(p []byte) (int, error) { w.t.Logf("%s", p); return len(p), nil }

func (o *office) start(slots int) *Crew {
	o.t.Helper()
	c := o.crew(slots)
	if err := c.Start(o.t.Context()); err != nil {
		o.t.Fatal(err)
	}
	o.t.Cleanup(func() {
		if err := c.Stop(context.Background()); err != nil {
			o.t.Error(err)
		}
	})
	return c
}

func (o *office) allocate(crew *Crew) *posting.AllocationSummary {
	o.t.Helper()
	a := posting.Allocator{Store: o.store, ShareFrom: 1}
	if crew != nil {
		a.Crew = crew
	}
	sum, err := a.Run(o.t.Context(), period.Interval{})
	if err != nil {
		o.t.Fatal(err)
	}
	return sum
}

// ledger lists the chunks and the findings.
func (o *office) ledger() []string {
	o.t.Helper()
	list := o.rows("select node_id, day, usage_rows, posting_rows, encode(digest, 'hex') from chunks order by node_id, day")
	if len(list) < 20 {
		o.t.Errorf("a ledger of %d chunks is not worth comparing", len(list))
	}
	if n := o.rows("select count(*) from dirty"); n[0] != "(0)" {
		o.t.Errorf("%s marks are left", n[0])
	}
	return list
}

func (o *office) rows(query string) []string {
	o.t.Helper()
	conn, err := pgx.Connect(o.t.Context(), o.dsn)
	if err != nil {
		o.t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	got, err := conn.Query(o.t.Context(), "select q::text from ("+query+") q")
	if err != nil {
		o.t.Fatal(err)
	}
	list, err := pgx.CollectRows(got, pgx.RowTo[string])
	if err != nil {
		o.t.Fatal(err)
	}
	return list
}

func summary(s *posting.AllocationSummary) string {
	return fmt.Sprint(s.Chunks, " ", s.UsageRows, " ", s.Postings, " ", s.Diagnostics, " ", s.Examples)
}

// TestTheLedgerDoesNotDependOnWhoComputes compares an allocation alone with those of one, two and eight additional
// workers, and of one that is cut off at times.
func TestTheLedgerDoesNotDependOnWhoComputes(t *testing.T) {
	alone := newOffice(t)
	sum := summary(alone.allocate(nil))
	want := alone.ledger()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, n := range []int{1, 2, 8} {
		t.Run(fmt.Sprint(n, " workers"), func(t *testing.T) {
			runtime.GOMAXPROCS(n)
			o := newOffice(t)
			for range n {
				o.start(1)
			}
			if got := summary(o.allocate(o.crew(1))); got != sum {
				t.Errorf("summary\n%s, want\n%s", got, sum)
			}
			if diff := cmp.Diff(want, o.ledger()); diff != "" {
				t.Error("the ledger differs:\n", diff)
			}
			took := o.took
			slices.Sort(took)
			if list := slices.Compact(slices.Clone(took)); len(took) < 5 || len(list) > n+1 {
				t.Errorf("%d batches, by %s", len(took), strings.Join(list, " "))
			}
		})
	}
	// A live crew that sometimes does not learn that it took a batch, and whose results sometimes get lost.
	t.Run("lost answers", func(t *testing.T) {
		o := newOffice(t)
		if err := o.store.SignWorker(t.Context(), "one that takes nothing"); err != nil { // else no batches are offered
			t.Fatal(err)
		}
		crew, lost := o.crew(2), map[string]bool{}
		crew.Store.(*taker).lost = lost
		if got := summary(o.allocate(crew)); got != sum {
			t.Errorf("summary\n%s, want\n%s", got, sum)
		}
		if diff := cmp.Diff(want, o.ledger()); diff != "" {
			t.Error("the ledger differs:\n", diff)
		}
		if len(lost) < 6 || len(lost) > len(o.took)+1 { // one of the first taking, and one per batch
			t.Errorf("answers to %d questions were lost, of %d batches that were taken", len(lost), len(o.took))
		}
	})
}
