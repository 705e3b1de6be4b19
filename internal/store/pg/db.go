package pg

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
)

// Tenant is the only tenant so far. It is still the first parameter of every statement.
const Tenant = 1

// DB is a pool of connections to one gpuledger database. It is safe for
// concurrent use.
type DB struct {
	Pool *pgxpool.Pool
	many bool // shared by many readers: see Beside
	// guarded: reads fail without a viewer in the context.
	guarded bool

	mu     sync.Mutex
	months map[string]bool // partitions known to exist: table and month
}

// Reader is the role that rows are read as for scoped users. It owns nothing, and row-level security applies to it
// (internal/store/access).
const Reader = "gpuledger_reader"

// Options tune Open. The zero value is valid.
type Options struct {
	MaxConns int32 // connections at most; 0 = 8
	// Tracer observes every statement but COPY; nil observes nothing.
	Tracer pgx.QueryTracer
}

// Open connects to the database of dsn (URL or keyword form) and checks that
// it answers. It does not migrate.
func Open(ctx context.Context, dsn string, opt Options) (*DB, error) {
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("database address: %w", err)
	}
	config.MaxConns = opt.MaxConns
	if config.MaxConns == 0 {
		config.MaxConns = 8
	}
	config.ConnConfig.Tracer = opt.Tracer
	config.ConnConfig.RuntimeParams["timezone"] = "UTC"
	config.ConnConfig.RuntimeParams["application_name"] = "gpuledger"
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		RegisterTypes(conn)
		// JIT compiles each statement that looks expensive, and in a function again at every call: with sorting
		// discouraged, a thousand times a day. Partitionwise joins are off by default; without them the postings of a
		// day are joined with the parts of all months. These are not start-up parameters, because poolers refuse
		// parameters that they do not know.
		_, err := conn.Exec(ctx, "set jit = off; set enable_partitionwise_join = on")
		return err
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("connect to database: %w", err)
	}
	return &DB{Pool: pool, months: map[string]bool{}}, nil
}

// Beside opens the same database with separate connections, so that their users never wait for those of db. It connects
// on first use. As there are many such users, no query takes parallel workers: see BeginRead.
func (db *DB) Beside(ctx context.Context, conns int32) (*DB, error) {
	config := db.Pool.Config()
	config.MaxConns = conns
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	return &DB{Pool: pool, many: true, months: map[string]bool{}}, nil
}

// Guarded makes reads fail without a viewer in the context. Call it when access control is on.
func (db *DB) Guarded() { db.guarded = true }

// BeginRead begins a read-only transaction on one snapshot, for the viewer in the context (access.As). For a scoped
// user it reads as Reader, within their scope.
//
// With many concurrent users (Beside), each query runs in one process. Parallel workers would speed up one query on
// idle processors, but repeat reads that each worker needs and take the processors from the other queries of the same
// page. All settings are local to the transaction and sent in the same round trip, so they also hold behind a pooler.
func (db *DB) BeginRead(ctx context.Context) (pgx.Tx, error) {
	begin := "begin isolation level repeatable read read only"
	if db.many {
		begin += "; set local max_parallel_workers_per_gather = 0"
	}
	switch viewer := access.From(ctx); {
	case viewer == nil:
		if db.guarded {
			return nil, errors.New("this read needs a viewer in its context")
		}
	case viewer.Bounded():
		scope, err := ledger.ParseID(viewer.Scope)
		if err != nil {
			return nil, fmt.Errorf("scope of %s: %w", viewer.Name, err)
		}
		begin += "; set local role " + Reader + "; set local gpuledger.scope = '" + scope.String() + "'"
	}
	return db.Pool.BeginTx(ctx, pgx.TxOptions{BeginQuery: begin})
}

// Read runs f in a transaction of BeginRead; errors name what.
func (db *DB) Read(ctx context.Context, what string, f func(tx pgx.Tx) error) error {
	tx, err := db.BeginRead(ctx)
	if err == nil {
		defer Rollback(ctx, tx) // read only
		err = f(tx)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// Close waits for connections in use and closes all.
func (db *DB) Close() { db.Pool.Close() }

// Ping checks that the database answers.
func (db *DB) Ping(ctx context.Context) error { return db.Pool.Ping(ctx) }

// InTx runs f in a transaction; errors name what. If the context has posting.Fenced, nothing is written after the
// calculation has ended.
func (db *DB) InTx(ctx context.Context, what string, f func(tx pgx.Tx) error) error {
	err := pgx.BeginFunc(ctx, db.Pool, func(tx pgx.Tx) error {
		if err := fence(ctx, tx); err != nil {
			return err
		}
		return f(tx)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// Querier is a pool, a connection or a transaction.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// Query runs a named statement and calls scan with its rows.
func Query(ctx context.Context, q Querier, name string, scan func(pgx.Rows) error, args ...any) error {
	rows, err := q.Query(ctx, Statement(name), args...)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// Exec runs a named statement and returns the number of rows it touched.
func Exec(ctx context.Context, tx pgx.Tx, name string, args ...any) (int64, error) {
	tag, err := tx.Exec(ctx, Statement(name), args...)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	return tag.RowsAffected(), nil
}

// Now is the clock of journals (imports, history); no figure depends on it.
func Now() time.Time { return time.Now().UTC() }

// Rollback ends a transaction whose outcome is decided. If the server cannot be reached, the connection is dropped,
// which also rolls back.
func Rollback(ctx context.Context, tx pgx.Tx) { _ = tx.Rollback(context.WithoutCancel(ctx)) }
