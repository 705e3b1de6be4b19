package localpg

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// LiveBelowFirst makes the first process of a container or another process namespace the parent of one that does the
// work, and then does not return. The kernel hands orphans to the first process, such as the processes of a killed
// PostgreSQL, which stay zombies until it waits for them. If the working process itself waited for all children, it
// would also take the exit states that its own callers wait for. main calls it before anything else.
func LiveBelowFirst() {
	if os.Getpid() != 1 {
		return
	}
	code, err := liveFirst()
	if err != nil {
		fmt.Fprintln(os.Stderr, "gpuledger: as the first process:", err)
		os.Exit(1)
	}
	os.Exit(code)
}

// liveFirst starts this program again, passes signals on to it, and waits for all
// processes until it ends. It returns its exit status.
func liveFirst() (code int, err error) {
	self, err := os.Executable()
	if err != nil {
		return 0, fmt.Errorf("find this program: %w", err)
	}
	cmd := exec.Command(self, os.Args[1:]...)
	cmd.Args[0] = os.Args[0]
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // signals of the terminal arrive only once
	if terminal, err := os.OpenFile("/dev/tty", os.O_RDWR, 0); err == nil {
		defer terminal.Close() //nolint:errcheck // nothing is written to it
		cmd.SysProcAttr = &syscall.SysProcAttr{Foreground: true, Ctty: int(terminal.Fd())}
	}
	signal.Ignore(syscall.SIGTTIN, syscall.SIGTTOU) // else taking the terminal stops the new process
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, passedOn...)
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("start the process that works: %w", err)
	}
	go passOn(signals, cmd.Process.Pid)
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return 0, fmt.Errorf("wait for the process that works: %w", err)
		case pid == cmd.Process.Pid && status.Signaled():
			return 128 + int(status.Signal()), nil
		case pid == cmd.Process.Pid && status.Exited():
			return status.ExitStatus(), nil
		}
	}
}

// passedOn are the signals that people and the runtimes of containers send.
var passedOn = []os.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1,
	syscall.SIGUSR2,
	syscall.SIGCONT, syscall.SIGWINCH}

func passOn(signals <-chan os.Signal, pid int) {
	for s := range signals {
		if n, ok := s.(syscall.Signal); ok {
			_ = syscall.Kill(pid, n) // it may just have ended
		}
	}
}
