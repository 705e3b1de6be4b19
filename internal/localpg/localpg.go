package localpg

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// Options are the folders of the server and its log.
type Options struct {
	DataDir string // empty: DefaultDataDir
	BinDir  string // empty: search
	// Log gets a warning when the server had to be started again; nil: no log.
	Log *slog.Logger
}

// Server is a handle on the running server of a data directory. Several processes may hold one each. As long as one is
// held, a server that ended by itself or was killed is started again.
type Server struct {
	cluster *cluster
	users   *lock
	keeper  keeper
}

// DefaultDataDir is the default folder for gpuledger's data: /var/lib/gpuledger for root, else the user's data folder.
func DefaultDataDir() (string, error) {
	if os.Geteuid() == 0 {
		return "/var/lib/gpuledger", nil
	}
	if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
		return filepath.Join(dir, "gpuledger"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("no home folder to keep data in; pass --data-dir: %w", err)
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library/Application Support/gpuledger"), nil
	}
	return filepath.Join(home, ".local/share/gpuledger"), nil
}

// Fresh reports whether a data directory has no server yet and no process is making one. It creates nothing.
func Fresh(root string) (bool, error) {
	if root == "" {
		var err error
		if root, err = DefaultDataDir(); err != nil {
			return false, err
		}
	}
	root, err := filepath.Abs(root)
	if err != nil {
		return false, fmt.Errorf("data directory: %w", err)
	}
	for _, base := range []string{root, apart(root)} {
		// A path that may not be read counts as existing.
		if _, err := os.Stat(filepath.Join(base, dataFolder, "PG_VERSION")); !errors.Is(err, os.ErrNotExist) {
			return false, nil
		}
	}
	used, err := heldByOthers(root, usersLock)
	return !used, err
}

// Start returns a handle on the server of the data directory, and starts it if no other process has. The database
// "gpuledger" exists afterwards only if the caller makes it; DSN connects to databases by name.
func Start(ctx context.Context, o Options) (*Server, error) {
	root := o.DataDir
	if root == "" {
		var err error
		if root, err = DefaultDataDir(); err != nil {
			return nil, err
		}
	}
	bin, err := Find(o.BinDir)
	if err != nil {
		return nil, err
	}
	c, err := newCluster(root, bin)
	if err != nil {
		return nil, err
	}
	log := o.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	defer c.sayWaiting(log, longStart)()
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	// Waits here while a supervisor is stopping the server.
	users, err := takeLock(c.root, usersLock, syscall.LOCK_SH)
	if err != nil {
		return nil, err
	}
	if err := c.ensureRunning(ctx); err != nil {
		return nil, fmt.Errorf("%w%s", err, closeText(users))
	}
	return &Server{cluster: c, users: users, keeper: keep(c, log)}, nil //nolint:contextcheck // it is kept after ctx, which bounds the start
}

// Times of a start: its limit, and the delay before the log mentions it.
const (
	startTimeout = time.Minute
	longStart    = time.Second
)

// sayWaiting logs a start that takes longer than after, for example after a kill, when the server first replays its
// log. A new data directory takes its time anyway. Nothing is logged once end has returned.
func (c *cluster) sayWaiting(log *slog.Logger, after time.Duration) (end func()) {
	if _, err := os.Stat(filepath.Join(c.data, "PG_VERSION")); err != nil {
		return func() {}
	}
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		timer := time.NewTimer(after)
		defer timer.Stop()
		select {
		case <-stop:
		case <-timer.C:
			log.Warn("waiting for the local PostgreSQL, which starts, stops or recovers from a kill", "at_most",
				startTimeout.String())
		}
	}()
	return func() {
		close(stop)
		<-done
	}
}

func closeText(l *lock) string {
	if err := l.release(); err != nil {
		return "; " + err.Error()
	}
	return ""
}

func (c *cluster) ensureRunning(ctx context.Context) error {
	starting, err := takeLock(c.root, startLock, syscall.LOCK_EX)
	if err != nil {
		return err
	}
	defer starting.release() //nolint:errcheck // closing a lock file cannot lose data
	for {
		lives, err := c.supervisorLives()
		if err != nil {
			return err
		}
		if !lives {
			return c.startSupervisor(ctx)
		}
		// A supervisor that is just ending still holds its lock for a moment.
		var ended error
		err = c.waitReady(ctx, func() (string, bool) {
			var lives bool
			if lives, ended = c.supervisorLives(); ended == nil && lives {
				return "", false
			}
			return "its supervisor has ended", true
		})
		if err == nil || ended != nil || ctx.Err() != nil {
			return errors.Join(err, ended)
		}
	}
}

// supervisorLives reports whether the supervisor's lock is held. The caller holds the start lock, so that no new
// supervisor runs into the attempt.
func (c *cluster) supervisorLives() (bool, error) {
	free, err := tryLock(c.root, supervisorLock, syscall.LOCK_EX)
	if err != nil || free == nil {
		return err == nil, err
	}
	return false, free.release()
}

func (c *cluster) startSupervisor(ctx context.Context) error {
	supervisor, err := spawnSupervisor(c.root, c.bin)
	if err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() {
		_ = supervisor.Wait() // reaps it; how it ended is in its log
		close(ended)
	}()
	return c.waitReady(ctx, func() (string, bool) {
		select {
		case <-ended:
			return c.supervisorText(), true
		default:
			return "", false
		}
	})
}

// supervisorText is the last supervisor's output.
func (c *cluster) supervisorText() string {
	text, err := os.ReadFile(filepath.Join(c.root, "supervisor.log"))
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(text))
}

// DSN is the connection string of a database on the server.
func (s *Server) DSN(database string) string {
	return fmt.Sprintf("host=%s user=%s dbname=%s sslmode=disable", quote(s.cluster.socket), User, database)
}

func quote(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
}

// Close gives the handle back. The server stops within a second if no other process uses it.
func (s *Server) Close() error {
	s.keeper.stop()
	return s.users.release()
}
