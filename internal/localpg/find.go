package localpg

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// EnvBinaries names the folder that holds postgres and initdb.
const EnvBinaries = "GPULEDGER_PG_BIN"

// ErrNoServer means that no PostgreSQL server binaries were found.
var ErrNoServer = errors.New("no PostgreSQL server was found on this machine; do one of: " +
	"install it (Debian: apt-get install postgresql), " +
	"set " + EnvBinaries + " to a folder that holds postgres and initdb, " +
	"or pass --database-url to use a server you already run")

// Find returns the folder of the server binaries: dir if given, else GPULEDGER_PG_BIN, a bundle next to this program,
// pg_config's, or a well-known folder (the newest version first).
func Find(dir string) (string, error) {
	if dir == "" {
		dir = os.Getenv(EnvBinaries)
	}
	if dir != "" {
		if !holdsServer(dir) {
			return "", fmt.Errorf("%s holds no postgres and initdb; check %s or --pg-bin", dir, EnvBinaries)
		}
		return dir, nil
	}
	for _, c := range candidates() {
		if holdsServer(c) {
			return c, nil
		}
	}
	return "", ErrNoServer
}

func candidates() []string {
	var c []string
	if self, err := os.Executable(); err == nil {
		root := filepath.Dir(self)
		c = append(c, filepath.Join(root, "libexec/gpuledger/pg18/bin"), filepath.Join(root, "../libexec/gpuledger/pg18/bin"))
	}
	if out, err := exec.Command("pg_config", "--bindir").Output(); err == nil {
		c = append(c, strings.TrimSpace(string(out)))
	}
	for _, pattern := range []string{
		"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql@*/bin",
		"/usr/local/opt/postgresql@*/bin", "/Applications/Postgres.app/Contents/Versions/*/bin", "/usr/local/pgsql/bin",
	} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			continue // only a malformed pattern errs, and these are constants
		}
		slices.SortFunc(found, func(a, b string) int { return strings.Compare(b, a) })
		c = append(c, found...)
	}
	return c
}

func holdsServer(dir string) bool {
	for _, name := range []string{"postgres", "initdb"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.IsDir() {
			return false
		}
	}
	return true
}
