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

// Tenant is the only tenant so far; it is the first parameter of every
// statement all the same.
const Tenant = 1

// DB is a pool of connections to one gpuledger database. It is safe for
// concurrent use.
type DB struct {
	Pool *pgxpool.Pool
	many bool // others ask beside: see Beside
	// guarded: what is read is read for somebody; see Guarded.
	guarded bool

	mu     sync.Mutex
	months map[string]bool // partitions known to exist: table and month
}

// Reader is the role that rows are read as for whoever sees a part: it owns nothing,
// and policies of row-level security hold for it (internal/store/access).
const Reader = "gpuledger_reader"

// Options tune Open. The zero value is good.
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
		// The server compiles what it expects to be dear, at each call of a function
		// that has such a statement: where sorting is discouraged, a thousand times a
		// day. And it joins months with months only where it is told to: postings of a
		// day with the parts of all time otherwise. Not start-up parameters: poolers
		// refuse those that they do not know.
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

// Beside opens the same database with connections of its own, so that its users
// never wait for those of db. It does not connect before it is asked. They are
// many, so none of them takes a second processor: see BeginRead.
func (db *DB) Beside(ctx context.Context, conns int32) (*DB, error) {
	config := db.Pool.Config()
	config.MaxConns = conns
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	return &DB{Pool: pool, many: true, months: map[string]bool{}}, nil
}

// Guarded makes reads that are for nobody fail: access control is on.
func (db *DB) Guarded() { db.guarded = true }

// BeginRead begins a transaction that only reads, from one state of the database, as
// whoever the context asks for (access.As): somebody with bounds reads as Reader,
// within his scope.
//
// Where many ask at once, PostgreSQL answers each with one process: its parallel
// workers make one question faster on idle processors, but read rows again that each
// of them needs, and take the processors from the other questions of the same page.
// Both are set in the transaction, and with it in one round trip, so that they hold
// behind a pooler.
func (db *DB) BeginRead(ctx context.Context) (pgx.Tx, error) {
	begin := "begin isolation level repeatable read read only"
	if db.many {
		begin += "; set local max_parallel_workers_per_gather = 0"
	}
	switch viewer := access.From(ctx); {
	case viewer == nil:
		if db.guarded {
			return nil, errors.New("rows are asked for, and nobody asks")
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

// Read runs f in a transaction of BeginRead, with what it did in the error.
func (db *DB) Read(ctx context.Context, what string, f func(tx pgx.Tx) error) error {
	tx, err := db.BeginRead(ctx)
	if err == nil {
		defer Rollback(ctx, tx) // it has only read
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

// InTx runs f in a transaction, with what it did in the error. In a context of
// posting.Fenced nothing is written once the calculation has ended.
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

// Query runs a named statement that returns rows and hands each to scan.
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

// Rollback ends a transaction whose outcome is decided: when it cannot be told
// the server, the connection is dropped, which rolls back as well.
func Rollback(ctx context.Context, tx pgx.Tx) { _ = tx.Rollback(context.WithoutCancel(ctx)) }
