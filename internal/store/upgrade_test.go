package store

import (
	"strings"
	"testing"

	"gpuledger/internal/pgtest"
	"gpuledger/migrations"
)

// firstRelease is the last migration of the first release.
const firstRelease = 9

// migrateOf runs Migrate on a connection of the store, so that its statements are seen.
func migrateOf(t testing.TB, s *Store) error {
	t.Helper()
	conn, err := s.pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	return Migrate(t.Context(), conn.Conn())
}

// A database that an unreleased build made is refused and left as it is, whatever
// its number: above ours, equal to it, below.
func TestADatabaseOfAnUnreleasedBuildIsRefused(t *testing.T) {
	for _, version := range []int32{57, migrations.Latest(), 4} {
		s := openStore(t, pgtest.Empty(t))
		run(t, s.pool, "create table schema_version (version int4 not null)")
		run(t, s.pool, "insert into schema_version values ($1)", version)
		run(t, s.pool, "create table sample_hours (tenant_id int)")
		err := migrateOf(t, s)
		if err == nil || !strings.Contains(err.Error(), "made by an unreleased build") ||
			!strings.Contains(err.Error(), "import again into a new database") {
			t.Errorf("version %d of an unreleased build gives %v", version, err)
		}
		if n := count(t, s, "select count(*) from pg_tables where schemaname not in ('pg_catalog', 'information_schema')"); n != 2 {
			t.Errorf("version %d: %d tables afterwards, want the 2 of before", version, n)
		}
	}
}
