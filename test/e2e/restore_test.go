package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/localpg"
	"gpuledger/test/tier"
)

// servers runs PostgreSQL's programs as a user that may: the server refuses root.
type servers struct {
	bin, base string
	as        *syscall.Credential // nil: the user of the test
}

func newServers(t *testing.T) servers {
	t.Helper()
	bin, err := localpg.Find("")
	if err != nil {
		tier.Absent(t, err)
	}
	if _, err := os.Stat(filepath.Join(bin, "pg_basebackup")); err != nil {
		tier.Absent(t, "no pg_basebackup next to the PostgreSQL in ", bin)
	}
	base, err := os.MkdirTemp("", "gpuledger-restore-") // short, for the paths of sockets
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(base); err != nil {
			t.Error(err)
		}
	})
	s := servers{bin: bin, base: base}
	if os.Geteuid() == 0 {
		who, err := user.Lookup("postgres")
		if err != nil {
			tier.Absent(t, "PostgreSQL does not run as root, and there is no user postgres")
		}
		uid, _ := strconv.Atoi(who.Uid) // numbers on this system
		gid, _ := strconv.Atoi(who.Gid)
		s.as = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		if err := os.Chown(base, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func (s servers) run(t *testing.T, program string, args ...string) {
	t.Helper()
	if filepath.Base(program) == program {
		program = filepath.Join(s.bin, program)
	}
	c := exec.Command(program, args...)
	c.Dir, c.Env = s.base, []string{"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "TZ=UTC"}
	c.SysProcAttr = &syscall.SysProcAttr{Credential: s.as}
	file, err := os.CreateTemp("", "") // no pipe: a server would hold it open
	if err != nil {
		t.Fatal(err)
	}
	defer os.Remove(file.Name()) //nolint:errcheck // a temporary file
	c.Stdout, c.Stderr = file, file
	if err := c.Run(); err != nil {
		text, readErr := os.ReadFile(file.Name())
		log, _ := os.ReadFile(s.folder("log")) // may not be there yet
		t.Fatalf("%s %s: %v, %v\n%s\n%s", program, strings.Join(args, " "), err, readErr, text, clip(string(log)))
	}
}

func (s servers) folder(name string) string { return filepath.Join(s.base, name) }

// start starts the server of a data folder and returns its address. It ends with the test.
func (s servers) start(t *testing.T, name string) (dsn string) {
	t.Helper()
	s.run(t, "pg_ctl", "-D", s.folder(name), "-w", "-t", "60", "-l", s.folder("log"), "-o",
		"-c listen_addresses='' -c unix_socket_directories="+s.base+" -c fsync=off", "start")
	t.Cleanup(func() { s.stop(t, name) })
	return "host=" + s.base + " user=gpuledger dbname=gpuledger"
}

// stop ends a server at once, as the loss of its machine would.
func (s servers) stop(t *testing.T, name string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(s.folder(name), "postmaster.pid")); err == nil {
		s.run(t, "pg_ctl", "-D", s.folder(name), "-w", "-m", "immediate", "stop")
	}
}

// configure appends lines to a configuration file of a data folder.
func (s servers) configure(t *testing.T, name, file, lines string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(s.folder(name), file), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(lines); err != nil {
		t.Fatal(err)
	}
	if s.as != nil {
		if err := f.Chown(int(s.as.Uid), int(s.as.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// The restore that docs/operate/backup.md describes: a base backup, work after it, a mistake. Restored to the second
// before the mistake, the ledger verifies and gives the same reports, and goes on.
func TestRestoreToAPointInTime(t *testing.T) {
	files := smallFleet(t)
	s := newServers(t)
	s.run(t, "initdb", "-D", s.folder("first"), "-U", "gpuledger", "--auth=trust", "-E", "UTF8", "--locale=C.UTF-8",
		"--no-sync")
	s.run(t, "/bin/mkdir", s.folder("wal"))
	s.configure(t, "first", "postgresql.conf", fmt.Sprintf("archive_mode = on\n"+
		"archive_command = 'test ! -f %[1]s/%%f && cp %%p %[1]s/%%f'\n", s.folder("wal")))
	dsn := s.start(t, "first")
	s.run(t, "createdb", "-h", s.base, "-U", "gpuledger", "gpuledger")
	db := "--database-url=" + dsn

	must(t, db, "import", "auto", filepath.Join(files, "aws-cur"))
	s.run(t, "pg_basebackup", "-D", s.folder("second"), "-X", "stream", "-c", "fast", "-h", s.base, "-U", "gpuledger")
	must(t, db, "import", "auto", files)
	must(t, db, "allocate")
	must(t, db, "user", "add", "ada", "--role=viewer") // an entry of the audit log
	before := answersOf(t, dsn)
	conn := connectOnce(t, dsn)
	second := scan[time.Time](t, conn, "select clock_timestamp()")
	execute(t, conn, "drop table posting_rows cascade")
	last := scan[string](t, conn, "select pg_walfile_name(pg_switch_wal())")
	until(t, "the log to be archived", func() bool {
		return scan[bool](t, conn, "select coalesce(last_archived_wal >= $1, false) from pg_stat_archiver", last)
	})
	if err := conn.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if code, _, _ := gpuledger(t, db, "verify"); code == exitOK {
		t.Fatal("the mistake did no harm")
	}
	s.stop(t, "first")

	s.configure(t, "second", "postgresql.auto.conf", fmt.Sprintf("restore_command = 'cp %s/%%f %%p'\n"+
		"recovery_target_time = '%s'\nrecovery_target_action = 'promote'\n", s.folder("wal"),
		second.UTC().Format("2006-01-02 15:04:05.999999+00")))
	s.configure(t, "second", "recovery.signal", "")
	s.start(t, "second")
	conn = connectOnce(t, dsn)
	until(t, "the end of the recovery", func() bool { return !scan[bool](t, conn, "select pg_is_in_recovery()") })
	t.Log("restored by PostgreSQL ", scan[string](t, conn, "select current_setting('server_version')"))
	if err := conn.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := gpuledger(t, db, "verify"); code != exitOK {
		t.Errorf("verify of the restored ledger: status %d\n%s%s", code, out, errs)
	}
	for i, after := range answersOf(t, dsn) {
		if !bytes.Equal(before[i], after) || len(after) < 100 {
			t.Errorf("answer %d differs after the restore, or says nothing:\n%.300s\n%.300s", i, before[i], after)
		}
	}
	must(t, db, "import", "auto", files) // changes nothing
	if code, out, errs := gpuledger(t, db, "verify"); code != exitOK {
		t.Errorf("verify after another import: status %d\n%s%s", code, out, errs)
	}
}

// connectOnce opens a connection that the test closes before its server ends.
func connectOnce(t *testing.T, dsn string) *pgx.Conn {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		t.Fatal(err)
	}
	return conn
}
