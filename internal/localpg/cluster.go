package localpg

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// User is the database superuser of a managed server.
const User = "gpuledger"

// maxSocketPath is the longest socket path that every supported system accepts, with room for the file name that
// PostgreSQL appends.
const maxSocketPath = 80

// cluster is the paths and the user of one managed server.
type cluster struct {
	root   string // given by the user
	data   string // PGDATA
	socket string // folder of the Unix socket
	bin    string
	owner  *syscall.Credential // nil: this process's own user

	volatile bool // the data may be lost with the machine
}

// newCluster prepares the folders of a server under root.
func newCluster(root, bin string) (*cluster, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("data directory %s: %w", root, err)
	}
	if err := os.MkdirAll(root, 0o711); err != nil {
		return nil, fmt.Errorf("make data directory: %w", err)
	}
	c := &cluster{root: root, bin: bin}
	base := root
	if os.Geteuid() == 0 {
		if c.owner, err = serverUser(); err != nil {
			return nil, err
		}
		if err := os.Chmod(root, 0o711); err != nil { // the server's user must be able to pass
			return nil, fmt.Errorf("open data directory to the server's user: %w", err)
		}
		if !passable(root, c.owner) {
			// A parent such as /root is closed to the server's user; its mode is not ours to change.
			base = apart(root)
		}
	}
	c.data = filepath.Join(base, dataFolder)
	c.socket = filepath.Join(base, "run")
	if len(c.socket) > maxSocketPath {
		c.socket = filepath.Join(os.TempDir(), "gpuledger-"+shortHash(root))
	}
	if err := os.MkdirAll(base, 0o711); err != nil {
		return nil, fmt.Errorf("make server directory: %w", err)
	}
	for _, dir := range []string{c.data, c.socket} {
		if err := c.own(dir); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// dataFolder is PGDATA below its base.
const dataFolder = "postgres"

// apart is the base of a server whose user may not enter its root.
func apart(root string) string { return filepath.Join("/var/lib/gpuledger/servers", shortHash(root)) }

func shortHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:6])
}

// serverUser picks the account that runs the server when we are root, since
// PostgreSQL refuses to run as root.
func serverUser() (*syscall.Credential, error) {
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, errUID := strconv.ParseUint(u.Uid, 10, 32)
		gid, errGID := strconv.ParseUint(u.Gid, 10, 32)
		if errUID == nil && errGID == nil {
			return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid), Groups: []uint32{}}, nil
		}
	}
	return nil, errors.New("PostgreSQL does not run as root, and there is neither a user `postgres` nor `nobody` to run " +
		"it as; run gpuledger as a plain user or pass --database-url")
}

// passable reports whether the user may enter every folder above and at dir.
func passable(dir string, who *syscall.Credential) bool {
	for {
		info, err := os.Stat(dir)
		if err != nil {
			return false
		}
		mode := info.Mode().Perm()
		may := mode&0o001 != 0
		if st, ok := info.Sys().(*syscall.Stat_t); ok {
			may = may || st.Uid == who.Uid && mode&0o100 != 0 || st.Gid == who.Gid && mode&0o010 != 0
		}
		if !may {
			return false
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return true
		}
		dir = parent
	}
}

func (c *cluster) own(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make %s: %w", dir, err)
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return fmt.Errorf("close %s to others: %w", dir, err)
	}
	if c.owner != nil {
		if err := os.Chown(dir, int(c.owner.Uid), int(c.owner.Gid)); err != nil {
			return fmt.Errorf("give %s to the server's user: %w", dir, err)
		}
	}
	return nil
}

func (c *cluster) command(ctx context.Context, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(c.bin, program), args...)
	cmd.Dir = "/"
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8", "TZ=UTC"}
	if lib := os.Getenv("LD_LIBRARY_PATH"); lib != "" {
		cmd.Env = append(cmd.Env, "LD_LIBRARY_PATH="+lib)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.owner, Setpgid: true}
	return cmd
}

// whoConnects is the server's pg_hba.conf. Only the owner can enter the socket's folder, so connections over the socket
// are trusted; other roles, such as logins of BI tools, authenticate with passwords.
const whoConnects = "local all " + User + " trust\nlocal all all scram-sha-256\n"

// ensureInitialised runs initdb once and refuses data of another major version.
func (c *cluster) ensureInitialised(ctx context.Context) error {
	have, err := os.ReadFile(filepath.Join(c.data, "PG_VERSION"))
	switch {
	case err == nil:
		want, err := c.majorVersion(ctx)
		if err != nil {
			return err
		}
		if got := strings.TrimSpace(string(have)); got != want {
			return fmt.Errorf("the data in %s was made by PostgreSQL %s, but the server in %s is version %s; "+
				"set %s to a PostgreSQL %s, or move the folder away to start empty", c.data, got, c.bin, want, EnvBinaries, got)
		}
		return nil
	case !errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("read server version: %w", err)
	}
	// A killed initdb leaves files without a complete PG_VERSION; start over.
	entries, err := os.ReadDir(c.data)
	if err != nil {
		return fmt.Errorf("read data directory: %w", err)
	}
	for _, e := range entries {
		if err := os.RemoveAll(filepath.Join(c.data, e.Name())); err != nil {
			return fmt.Errorf("clear unfinished data directory: %w", err)
		}
	}
	staging := c.data + ".new"
	if err := os.RemoveAll(staging); err != nil {
		return fmt.Errorf("clear unfinished data directory: %w", err)
	}
	if err := c.own(staging); err != nil {
		return err
	}
	args := []string{"-D", staging, "-U", User, "--auth-local=trust", "--auth-host=reject",
		"-E", "UTF8", "--locale=C.UTF-8", "--data-checksums", "--no-instructions"}
	if c.volatile {
		args = append(args, "--no-sync")
	}
	cmd := c.command(ctx, "initdb", args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("initialise %s: %w: %s", c.data, err, strings.TrimSpace(out.String()))
	}
	// it stays whose it was
	if err := os.WriteFile(filepath.Join(staging, "pg_hba.conf"), []byte(whoConnects), 0o600); err != nil {
		return fmt.Errorf("write pg_hba.conf: %w", err)
	}
	if err := os.Remove(c.data); err != nil {
		return fmt.Errorf("put new data directory in place: %w", err)
	}
	if err := os.Rename(staging, c.data); err != nil {
		return fmt.Errorf("put new data directory in place: %w", err)
	}
	return nil
}

func (c *cluster) majorVersion(ctx context.Context) (string, error) {
	out, err := c.command(ctx, "postgres", "--version").Output()
	if err != nil {
		return "", fmt.Errorf("ask %s for its version: %w", c.bin, err)
	}
	for f := range strings.FieldsSeq(string(out)) {
		if f[0] >= '0' && f[0] <= '9' {
			major, _, _ := strings.Cut(f, ".")
			return major, nil
		}
	}
	return "", fmt.Errorf("cannot read a version from %q", strings.TrimSpace(string(out)))
}
