package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/localpg"
	"gpuledger/test/tier"
)

// Migrate brings an empty database to the current schema.
type Migrate func(ctx context.Context, dsn string) error

// New returns the DSN of a fresh database with the schema that migrate makes.
// All callers in one process share one template, so they must pass the same
// migrate. The database is dropped when the test ends.
func New(t testing.TB, migrate Migrate) string {
	t.Helper()
	s := shared(t)
	s.template.Do(func() { s.templateErr = s.makeTemplate(migrate) })
	if s.templateErr != nil {
		t.Fatal("make template database: ", s.templateErr)
	}
	return s.create(t, s.prefix+"template")
}

// Empty returns the DSN of a fresh database without any schema.
func Empty(t testing.TB) string {
	t.Helper()
	return shared(t).create(t, "template1")
}

// Filled returns the DSN of a clone of the database that fill, called once in a process
// for each name, filled. It is empty at first.
func Filled(t testing.TB, name string, fill func(dsn string)) string {
	t.Helper()
	s := shared(t)
	s.filling.Lock()
	defer s.filling.Unlock()
	template := s.prefix + name
	if !s.filled[name] {
		if err := s.exec(t.Context(), "postgres", "drop database if exists "+template,
			"create database "+template); err != nil {
			t.Fatal("create database to clone: ", err)
		}
		fill(s.dsn(template))
		if err := s.closeTemplate(t.Context(), template); err != nil {
			t.Fatal("close database to clone: ", err)
		}
		s.filled[name] = true
	}
	return s.create(t, template)
}

type server struct {
	dsn         func(database string) string
	prefix      string
	template    sync.Once
	templateErr error
	filling     sync.Mutex
	filled      map[string]bool // by name; see Filled
	count       atomic.Int64
}

var (
	once     sync.Once
	global   *server
	errStart error
)

func shared(t testing.TB) *server {
	t.Helper()
	once.Do(func() { global, errStart = start() })
	if errors.Is(errStart, localpg.ErrNoServer) {
		tier.Absent(t, errStart)
	}
	if errStart != nil {
		t.Fatal(errStart)
	}
	return global
}

func start() (*server, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if url := os.Getenv("GPULEDGER_TEST_DATABASE_URL"); url != "" {
		config, err := pgx.ParseConfig(url)
		if err != nil {
			return nil, fmt.Errorf("GPULEDGER_TEST_DATABASE_URL: %w", err)
		}
		dsn := func(database string) string {
			text := fmt.Sprintf("host=%s port=%d user=%s dbname=%s", config.Host, config.Port, config.User, database)
			if config.Password != "" {
				text += " password='" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(config.Password) + "'"
			}
			return text
		}
		return &server{dsn: dsn, prefix: fmt.Sprintf("gpuledger_test_%d_", os.Getpid()), filled: map[string]bool{}}, nil
	}
	dir, err := ownFolder()
	if err != nil {
		return nil, err
	}
	v, err := localpg.StartVolatile(ctx, dir, "")
	if err != nil {
		return nil, err
	}
	return &server{dsn: v.DSN, prefix: "t_", filled: map[string]bool{}}, nil
}

// ownFolder makes the folder of this process and removes those of dead ones:
// a folder's lock is free exactly when its process has ended.
func ownFolder() (string, error) {
	base := filepath.Join(roomyFolder(), fmt.Sprintf("gpuledger-pgtest-%d", os.Getuid()))
	if err := os.MkdirAll(base, 0o711); err != nil {
		return "", fmt.Errorf("make folder for test servers: %w", err)
	}
	entries, err := os.ReadDir(base)
	if err != nil {
		return "", fmt.Errorf("look for old test servers: %w", err)
	}
	for _, e := range entries {
		path := filepath.Join(base, e.Name())
		if f := lockFolder(path); f != nil {
			// The server of a killed process may need a moment to end; the next process removes folders that cannot be
			// removed now.
			if os.RemoveAll(path) == nil {
				_ = f.Close()
			}
		}
	}
	dir, err := os.MkdirTemp(base, "p")
	if err != nil {
		return "", fmt.Errorf("make folder for the test server: %w", err)
	}
	if keep = lockFolder(dir); keep == nil {
		return "", fmt.Errorf("lock %s: another process holds it", dir)
	}
	return dir, nil
}

// inMemory is where Linux keeps files in memory. A database is some 1,200 files: when each test makes and drops one on
// a disk, the kernel takes more than half of the processor time.
const inMemory = "/dev/shm"

// enoughMemory is the space that must be free there: containers have 64 MB.
const enoughMemory = 8 << 30

func roomyFolder() string {
	var is syscall.Statfs_t
	if syscall.Statfs(inMemory, &is) != nil || is.Bavail*uint64(is.Bsize) < enoughMemory {
		return os.TempDir()
	}
	return inMemory
}

// keep holds the folder's lock until the process ends.
var keep *os.File

func lockFolder(dir string) *os.File {
	f, err := os.OpenFile(filepath.Join(dir, "process.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil
	}
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		_ = f.Close()
		return nil
	}
	return f
}

func (s *server) exec(ctx context.Context, database string, statements ...string) error {
	conn, err := pgx.Connect(ctx, s.dsn(database))
	if err != nil {
		return err
	}
	for _, sql := range statements {
		if _, err = conn.Exec(ctx, sql); err != nil {
			err = fmt.Errorf("%s: %w", sql, err)
			break
		}
	}
	return errors.Join(err, conn.Close(ctx))
}

func (s *server) makeTemplate(migrate Migrate) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	name := s.prefix + "template"
	if err := s.exec(ctx, "postgres", "drop database if exists "+name, "create database "+name); err != nil {
		return err
	}
	if err := migrate(ctx, s.dsn(name)); err != nil {
		return err
	}
	return s.closeTemplate(ctx, name)
}

// closeTemplate blocks connections to a template, because a database cannot be cloned while it has any.
func (s *server) closeTemplate(ctx context.Context, name string) error {
	return s.exec(ctx, "postgres", "alter database "+name+" allow_connections false",
		"select pg_terminate_backend(pid) from pg_stat_activity where datname = '"+name+"'")
}

// create clones a database file by file. Block by block, as servers do by default, some 1,200
// small files take three times the processor time.
func (s *server) create(t testing.TB, template string) string {
	t.Helper()
	name := fmt.Sprintf("%s%d", s.prefix, s.count.Add(1))
	if err := s.exec(t.Context(), "postgres",
		"create database "+name+" template "+template+" strategy file_copy"); err != nil {
		t.Fatal("create test database: ", err)
	}
	t.Cleanup(func() {
		if t.Failed() && os.Getenv("GPULEDGER_TEST_KEEP") != "" {
			t.Log("kept: ", s.dsn(name))
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if err := s.exec(ctx, "postgres", "drop database if exists "+name+" with (force)"); err != nil {
			t.Error("drop test database: ", err)
		}
	})
	return s.dsn(name)
}
