package store_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/store"
	"gpuledger/migrations"
	"gpuledger/test/pgtest"
	"gpuledger/test/storetest"
)

func checked(t *testing.T, s *store.Store) *store.Upgrade {
	t.Helper()
	u, err := s.CheckUpgrade(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// blockers are the names of findings that prevent an upgrade.
func blockers(u *store.Upgrade) (names []string) {
	for _, f := range u.Findings {
		if f.Level == store.Blocker {
			names = append(names, f.Name)
		}
	}
	return names
}

// The check of a database of the first release names the migrations that it lacks, and changes nothing. An allocation
// under way blocks it, workers without one do not.
func TestAnUpgradeIsChecked(t *testing.T) {
	s := atVersion(t, firstRelease)
	before := schemaOf(t, s)
	u := checked(t, s)
	if !u.Ready || u.Found != firstRelease || u.Wanted != migrations.Latest() ||
		len(u.Pending) != int(migrations.Latest()-firstRelease) || u.Needs == 0 || u.Database < u.Needs || u.Free != nil {
		t.Errorf("the first release: %+v", u)
	}
	if !slices.Equal(before, schemaOf(t, s)) {
		t.Error("the check changed the schema")
	}
	storetest.MustExec(t, s, "insert into allocation_workers values (1, 'worker-a', now()), (1, 'dead', now() - interval '1 h')")
	if u := checked(t, s); !u.Ready || !strings.Contains(u.Findings[0].Text, "1 processes with workers") {
		t.Errorf("with a worker: %+v", u.Findings)
	}
	storetest.MustExec(t, s, `insert into calculations (tenant_id, calculation_id, policy_version, mark, started_at, seen_at)
		values (1, md5('c')::uuid, 'p', 0, now(), now())`)
	if got := blockers(checked(t, s)); !slices.Equal(got, []string{"allocation"}) {
		t.Errorf("with an allocation under way, blockers are %v", got)
	}
	storetest.MustExec(t, s, "update calculations set seen_at = now() - interval '1 h'") // killed
	if got := blockers(checked(t, s)); len(got) > 0 {
		t.Errorf("with an allocation that was killed, blockers are %v", got)
	}
}

// The space that migrations may take is compared with the space of the server's disk.
func TestAnUpgradeNeedsSpace(t *testing.T) {
	s := atVersion(t, firstRelease)
	for free, want := range map[int64][]string{1 << 50: nil, 1: {"disk"}} {
		u, err := s.CheckUpgrade(t.Context(), func(folder string) (int64, error) {
			if !strings.HasPrefix(folder, "/") {
				t.Errorf("the data folder is %q", folder)
			}
			return free, nil
		})
		if err != nil || !slices.Equal(blockers(u), want) || *u.Free != free {
			t.Errorf("%d bytes free: %+v, %v", free, u, err)
		}
	}
	if _, err := s.CheckUpgrade(t.Context(), func(string) (int64, error) { return 0, errors.New("no disk") }); err == nil {
		t.Error("a disk that cannot be measured is no error")
	}
}

// A current database has nothing to migrate; databases that must not be migrated are blocked, with the reason; a
// migration under way is noticed.
func TestDatabasesThatAreNotUpgraded(t *testing.T) {
	s := fresh(t)
	if u := checked(t, s); !u.Ready || len(u.Pending)+len(u.Rebuilds)+len(u.Findings) > 0 {
		t.Errorf("a current database: %+v", u)
	}
	conn := connected(t, s)
	if _, err := conn.Exec(t.Context(), "select pg_advisory_lock(hashtext('gpuledger schema'))"); err != nil {
		t.Fatal(err)
	}
	if got := blockers(checked(t, s)); !slices.Equal(got, []string{"migration"}) {
		t.Errorf("while another process migrates, blockers are %v", got)
	}
	if err := conn.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	storetest.MustExec(t, s, "update schema_version set version = 999")
	u := checked(t, s)
	if u.Ready || !strings.Contains(u.Findings[0].Text, "use a newer gpuledger") {
		t.Errorf("a newer database: %+v", u)
	}
	storetest.MustExec(t, s, "update schema_version set version = $1", migrations.Latest())
	storetest.MustExec(t, s, "comment on table star.cost_total_days is 'built from declaration 00'")
	if u := checked(t, s); !u.Ready || !slices.Equal(u.Rebuilds, []string{"cost_total_days"}) {
		t.Errorf("with a roll-up of another declaration: %+v", u)
	}

	empty := storetest.Open(t, pgtest.Empty(t))
	if u := checked(t, empty); !u.Ready || u.Found != 0 || len(u.Pending) != int(migrations.Latest()) {
		t.Errorf("an empty database: %+v", u)
	}
	storetest.MustExec(t, empty, "create table public.orders (id int)")
	if u := checked(t, empty); u.Ready || !strings.Contains(u.Findings[0].Text, "of other programs, such as public.orders") {
		t.Errorf("a database of others: %+v", u)
	}
}
