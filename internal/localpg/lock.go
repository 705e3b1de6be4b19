package localpg

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// The three locks of a data directory. The kernel drops them when their holder dies, so kill -9 does no harm.
const (
	usersLock      = "users.lock"      // shared by every process that uses the server; exclusive to stop it
	startLock      = "start.lock"      // exclusive while a process starts a supervisor
	supervisorLock = "supervisor.lock" // exclusive for the supervisor's whole life
)

type lock struct{ file *os.File }

func takeLock(root, name string, how int) (*lock, error) {
	f, err := os.OpenFile(filepath.Join(root, name), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open lock: %w", err)
	}
	for {
		err = syscall.Flock(int(f.Fd()), how)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("take %s: %w", name, err), f.Close())
	}
	return &lock{f}, nil
}

// tryLock returns nil without an error if another process holds the lock.
func tryLock(root, name string, how int) (*lock, error) {
	l, err := takeLock(root, name, how|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, nil
	}
	return l, err
}

// heldByOthers reports whether another process holds a lock that may not exist. It creates nothing.
func heldByOthers(root, name string) (held bool, err error) {
	f, err := os.OpenFile(filepath.Join(root, name), os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("open lock: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return true, nil
	}
	return false, err
}

func (l *lock) release() error { return l.file.Close() }

// untilExit keeps locks that end with the process reachable: the collector closes unreachable files, and with them
// their locks.
var untilExit []*lock

func holdUntilExit(l *lock) { untilExit = append(untilExit, l) }
