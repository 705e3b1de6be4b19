package migrations

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/tern/v2/migrate"

	"gpuledger/test/pgtest"
)

func TestFilesAreNumberedAndReversible(t *testing.T) {
	names, err := fs.Glob(FS, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		text, err := fs.ReadFile(FS, name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(name, fmt.Sprintf("%03d_", i+1)) {
			t.Errorf("%s is file number %d", name, i+1)
		}
		up, down, ok := strings.Cut(string(text), "---- create above / drop below ----")
		if !ok || strings.TrimSpace(down) == "" {
			t.Errorf("%s cannot be undone", name)
		}
		if !strings.Contains(up, "set local lock_timeout") {
			t.Errorf("%s may wait for a lock for ever: set local lock_timeout", name)
		}
	}
	if Latest() != int32(len(names)) || len(names) == 0 {
		t.Errorf("latest is %d of %d files", Latest(), len(names))
	}
}

func TestUpDownUp(t *testing.T) {
	ctx := t.Context()
	conn, err := pgx.Connect(ctx, pgtest.Empty(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	m, err := migrate.NewMigrator(ctx, conn, "public.schema_version")
	if err != nil {
		t.Fatal(err)
	}
	if err := m.LoadMigrations(FS); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		version int32
		tables  bool
	}{{Latest(), true}, {0, false}, {Latest(), true}} {
		if err := m.MigrateTo(ctx, step.version); err != nil {
			t.Fatalf("to version %d: %v", step.version, err)
		}
		var tables int
		if err := conn.QueryRow(ctx,
			"select count(*) from pg_tables where schemaname = 'public' and tablename <> 'schema_version'").Scan(&tables); err != nil {
			t.Fatal(err)
		}
		if (tables > 0) != step.tables {
			t.Errorf("version %d has %d tables", step.version, tables)
		}
	}
	// Tenant first: every key of every table begins with it.
	rows, err := conn.Query(ctx, `select c.relname || ': ' || i.indexrelid::regclass from pg_index i
		join pg_class c on c.oid = i.indrelid
		join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
		join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
		where a.attname <> 'tenant_id' and c.relname not in ('schema_version')
		  and i.indexrelid::regclass::text <> 'tenants_name_key'`)
	if err != nil {
		t.Fatal(err)
	}
	bad, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	if len(bad) > 0 {
		t.Errorf("keys without the tenant in front: %s", strings.Join(bad, ", "))
	}
}

// After names the migrations that a version lacks, and the existing tables that each changes.
func TestMigrationsAfterAVersion(t *testing.T) {
	all, err := After(0)
	if err != nil || len(all) != int(Latest()) || len(all[0].Tables) > 0 {
		t.Fatalf("after 0: %v, %v", all, err)
	}
	rest, err := After(32)
	if err != nil || rest[0].Number != 33 || rest[0].Name != "run limits" || !slices.Equal(rest[0].Tables, []string{"runs"}) {
		t.Errorf("after 32: %+v, %v", rest, err)
	}
	if rest, err = After(Latest()); err != nil || len(rest) > 0 {
		t.Errorf("after the newest: %v, %v", rest, err)
	}
}
