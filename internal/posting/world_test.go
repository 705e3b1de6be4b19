package posting_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/ingest"
	"gpuledger/internal/fleetsim"
	"gpuledger/internal/period"
	"gpuledger/internal/posting"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/test/pgtest"
)

// world is a simulated fleet, its files and a database.
type world struct {
	t     *testing.T
	fleet *fleetsim.Fleet
	dir   string
	files *fleetsim.Manifest
	dsn   string
	store *store.Store

	aggregate bool // lines outside the fleet, as imports do by default
}

// simulate generates a fleet and writes its files.
func simulate(t *testing.T, cfg fleetsim.Config) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir()}
	var err error
	if w.fleet, err = fleetsim.New(cfg); err != nil {
		t.Fatal(err)
	}
	if w.files, err = w.fleet.WriteTo(t.Context(), w.dir); err != nil {
		t.Fatal(err)
	}
	w.fresh()
	return w
}

// separate is the same world with a separate, empty database.
func (w *world) separate() *world {
	w.t.Helper()
	other := *w
	other.fresh()
	return &other
}

// sharedFiles is the folder of files that several tests read; it is removed when they end.
var sharedFiles string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if sharedFiles, err = os.MkdirTemp("", "gpuledger-posting-"); err != nil {
			panic(err)
		}
		defer os.RemoveAll(sharedFiles)
		return m.Run()
	}())
}

var writeEverywhere = sync.OnceValues(func() (w world, err error) {
	w.dir = sharedFiles
	if w.fleet, err = fleetsim.New(fleetsim.Preset(fleetsim.Small).Everywhere()); err == nil {
		w.files, err = w.fleet.WriteTo(context.Background(), w.dir)
	}
	return w, err
})

// everywhere is a small fleet with every kind of bill, allocated, in a separate database. Its files are shared.
func everywhere(t *testing.T) *world {
	t.Helper()
	w, err := writeEverywhere()
	if err != nil {
		t.Fatal(err)
	}
	w.t = t
	w.dsn = pgtest.Filled(t, "everywhere", func(dsn string) {
		if err := store.MigrateDSN(t.Context(), dsn); err != nil {
			t.Fatal(err)
		}
		filled := w
		filled.dsn = dsn
		filled.open()
		filled.loadFolder()
		filled.allocate()
		filled.store.Close() // a database with connections cannot be cloned
	})
	w.open()
	return &w
}

// fresh gives the world an empty database.
func (w *world) fresh() {
	w.t.Helper()
	w.dsn = pgtest.New(w.t, store.MigrateDSN)
	w.open()
}

func (w *world) open() {
	w.t.Helper()
	s, err := store.Open(w.t.Context(), w.dsn, pg.Options{})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(s.Close)
	w.store = s
}

func (w *world) load(source string, files ...string) {
	w.t.Helper()
	w.take(ingest.Request{Source: source}, files)
}

// loadDelivered imports a bill that was delivered at an instant.
func (w *world) loadDelivered(at *period.Second, files ...string) {
	w.t.Helper()
	w.take(ingest.Request{Source: "aws-cur", DeliveredAt: at}, files)
}

func (w *world) take(req ingest.Request, files []string) {
	w.t.Helper()
	var uris []string
	for _, f := range files {
		uris = append(uris, filepath.Join(w.dir, f))
	}
	req.URIs, req.Cluster = uris, w.files.Cluster
	req.KeepEverything = !w.aggregate
	until := period.FromTime(w.files.To)
	req.SimulatedUntil = &until
	im := ingest.Importer{Store: w.store, Now: time.Now}
	if sum, err := im.Import(w.t.Context(), req); err != nil {
		w.t.Fatalf("import %s: %v %+v", req.Source, err, sum)
	}
}

func (w *world) loadAll() {
	w.t.Helper()
	w.load("openmetrics", w.files.Telemetry...)
	w.load("spot-events", w.files.Events...)
	w.load("price-book", w.files.PriceBook)
	w.load("aws-cur", w.files.AWSCUR...)
}

// loadFolder imports everything, as a customer would by naming the folder.
func (w *world) loadFolder() {
	w.t.Helper()
	w.take(ingest.Request{Source: ingest.SourceAuto}, []string{"."})
}

func (w *world) allocate() *posting.AllocationSummary {
	w.t.Helper()
	a := posting.Allocator{Store: w.store}
	sum, err := a.Run(w.t.Context(), period.Interval{})
	if err != nil {
		w.t.Fatal(err)
	}
	w.statistics()
	return sum
}

// statistics are refreshed after an allocation, as in the program, so that the server plans the next queries well.
func (w *world) statistics() {
	w.t.Helper()
	if err := w.store.RefreshStatistics(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
}

// rows returns the rows of a query as text, one line per row.
func (w *world) rows(query string) []string {
	w.t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, w.dsn)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = conn.Close(ctx) }()
	got, err := conn.Query(ctx, "select q::text from ("+query+") q")
	if err != nil {
		w.t.Fatal(err)
	}
	list, err := pgx.CollectRows(got, pgx.RowTo[string])
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}
