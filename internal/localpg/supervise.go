package localpg

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

// envSupervise makes a fresh copy of this program the supervisor of the data directory it names.
const (
	envSupervise    = "GPULEDGER_LOCALPG_SUPERVISE"
	envSuperviseBin = "GPULEDGER_LOCALPG_SUPERVISE_BIN"
)

// SuperviseIfAsked turns this process into the supervisor when Start launched
// it as one, and then does not return. main calls it first.
func SuperviseIfAsked() {
	root := os.Getenv(envSupervise)
	if root == "" {
		return
	}
	if err := supervise(root, os.Getenv(envSuperviseBin)); err != nil {
		fmt.Fprintln(os.Stderr, "gpuledger: local PostgreSQL:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// retryStart is the pause before a server that found the shared memory of an
// older one in use is started again.
const retryStart = 500 * time.Millisecond

// supervise runs the server until no process uses it. If the server ends by itself, so does the supervisor: the users
// start both again.
func supervise(root, bin string) error {
	// Ctrl-C in the user's terminal is for gpuledger; we follow its lock.
	signal.Ignore(syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE)
	terminate := make(chan os.Signal, 1)
	signal.Notify(terminate, syscall.SIGTERM)

	alive, err := tryLock(root, supervisorLock, syscall.LOCK_EX)
	if err != nil || alive == nil {
		return err // another supervisor is at work: it serves our caller too
	}
	holdUntilExit(alive)
	c, err := newCluster(root, bin)
	if err != nil {
		return err
	}
	if err := c.ensureInitialised(context.Background()); err != nil {
		return err
	}
	server, err := c.startChild(nil)
	if err != nil {
		return err
	}
	started := time.Now()
	for {
		select {
		case <-server.done:
			// Processes of an older server that it cannot see end by themselves.
			if !server.memoryInUse() || time.Since(started) > patience {
				return fmt.Errorf("%s", server.exitText())
			}
			fmt.Fprintln(os.Stderr, "gpuledger: local PostgreSQL: processes of an older server still hold its shared "+
				"memory; trying again")
			time.Sleep(retryStart)
			if server, err = c.startChild(nil); err != nil {
				return err
			}
		case <-terminate:
			return server.stop()
		case <-time.After(200 * time.Millisecond):
		}
		nobody, err := tryLock(root, usersLock, syscall.LOCK_EX)
		if err != nil {
			return err
		}
		if nobody != nil {
			// New users wait for the stop: at exit the kernel drops our locks in the order in which we took them, this
			// one last.
			holdUntilExit(nobody)
			return server.stop()
		}
	}
}

// spawnSupervisor starts a detached copy of this program.
func spawnSupervisor(root, bin string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	log, err := os.OpenFile(filepath.Join(root, "supervisor.log"), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open supervisor log: %w", err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), envSupervise+"="+root, envSuperviseBin+"="+bin)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the supervisor: %w", err)
	}
	return cmd, log.Close()
}
