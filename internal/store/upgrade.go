package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/store/book"
	"gpuledger/internal/store/figures"
	"gpuledger/internal/store/pg"
	"gpuledger/migrations"
)

// Upgrade is what migrating a database to the schema of this program would do, and what prevents it.
type Upgrade struct {
	Server   string                 `json:"server"` // version of PostgreSQL
	Found    int32                  `json:"found"`  // schema version; 0: the database is empty
	Wanted   int32                  `json:"wanted"`
	Pending  []migrations.Migration `json:"pending"`
	Rebuilds []string               `json:"rebuilds"` // roll-ups that are built again, empty, and filled by the next allocation
	Database int64                  `json:"database_bytes"`
	// Needs is the most space that pending migrations may take while they run: that of a copy of every table that
	// they change.
	Needs    int64     `json:"needed_bytes"`
	Free     *int64    `json:"free_bytes"` // nil: unknown, because the server is elsewhere
	Ready    bool      `json:"ready"`
	Findings []Finding `json:"findings"`
}

// Finding is one thing to know before an upgrade.
type Finding struct {
	Level string `json:"level"` // blocker or note
	Name  string `json:"name"`
	Text  string `json:"text"`
}

// Levels of a Finding: a blocker prevents the upgrade, a note does not.
const (
	Blocker = "blocker"
	Note    = "note"
)

// upgradeServer is the database server and the rights of the login.
type upgradeServer struct {
	Version, Login                    string
	Major                             int
	Standby, ReadOnly, Creates, Facts bool
	Bytes                             int64
	OwnedByOthers                     int64
}

// upgradeSession is another session that holds a lock on a table.
type upgradeSession struct {
	Pid                   int32
	Login, Program, State string
	Seconds               int64
}

// upgradeState is everything that the rules of an upgrade need.
type upgradeState struct {
	server    upgradeServer
	refusal   error // why this program must not migrate the database
	migrating bool
	sessions  []upgradeSession
	work      book.UnderWay
	imports   int64
}

// sessionSeconds is after how long a lock on a table counts: answers of pages and API end before.
const sessionSeconds = 60

// firstRelease is the schema version of the first release; older ones have no tables of work.
const firstRelease = 9

// CheckUpgrade reads what a migration would do, and changes nothing. free measures the space on the disk of the server's
// data folder; nil: the server is elsewhere, so the space is unknown.
func (s *Store) CheckUpgrade(ctx context.Context, free func(folder string) (int64, error)) (*Upgrade, error) {
	u := &Upgrade{Wanted: migrations.Latest(), Pending: []migrations.Migration{}, Rebuilds: []string{}}
	st := upgradeState{}
	err := pgx.BeginTxFunc(ctx, s.Pool, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		return s.readUpgrade(ctx, tx, u, &st)
	})
	if err == nil && st.refusal == nil && u.Found >= firstRelease {
		if st.work, err = s.UnderWay(ctx); err == nil {
			var b Backlog
			b, err = s.Backlog(ctx)
			st.imports = b.Running
		}
	}
	if err == nil && free != nil {
		u.Free, err = s.freeSpace(ctx, free)
	}
	if err != nil {
		return nil, fmt.Errorf("look at the database: %w", err)
	}
	u.judge(st)
	return u, nil
}

func (s *Store) readUpgrade(ctx context.Context, tx pgx.Tx, u *Upgrade, st *upgradeState) error {
	ours, err := migrations.Relations()
	if err != nil {
		return err
	}
	if st.server, err = pg.One[upgradeServer](ctx, tx, "upgrade.server", ours); err != nil {
		return err
	}
	u.Server, u.Database = st.server.Version, st.server.Bytes
	if st.migrating, err = pg.Value[bool](ctx, tx, "upgrade.migrating"); err != nil {
		return err
	}
	if st.sessions, err = pg.List[upgradeSession](ctx, tx, "upgrade.sessions", sessionSeconds); err != nil {
		return err
	}
	if u.Found, st.refusal, err = pg.SchemaVersion(ctx, tx); err != nil || st.refusal != nil {
		return err
	}
	if u.Pending, err = migrations.After(u.Found); err != nil || u.Found == 0 {
		return err
	}
	if st.server.Facts {
		stale, err := figures.StaleFacts(ctx, tx)
		if err != nil {
			return err
		}
		u.Rebuilds = append(u.Rebuilds, stale...)
	}
	var tables []string
	for _, m := range u.Pending {
		tables = append(tables, m.Tables...)
	}
	sizes, err := pg.List[struct {
		Name  string
		Bytes int64
	}](ctx, tx, "upgrade.sizes", slices.Compact(slices.Sorted(slices.Values(tables))))
	for _, t := range sizes {
		u.Needs += t.Bytes
	}
	return err
}

// freeSpace measures the disk of the data folder of a server on this machine.
func (s *Store) freeSpace(ctx context.Context, free func(folder string) (int64, error)) (*int64, error) {
	folder, err := pg.Value[string](ctx, s.Pool, "upgrade.folder")
	if err != nil {
		return nil, err
	}
	n, err := free(folder)
	if err != nil {
		return nil, fmt.Errorf("measure the free space at %s: %w", folder, err)
	}
	return &n, nil
}
