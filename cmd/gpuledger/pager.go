package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"

	"gpuledger/internal/visible"
)

// lessOptions make less leave short texts on the screen, keep colours, and cut long lines instead of breaking them.
const lessOptions = "SRFX"

// paged writes a text for people to standard output; on a terminal, through the user's pager. A pager that ends before
// the text does is no error.
func (a *app) paged(write func(w io.Writer) error) error {
	command := a.pager()
	if command == "" {
		return write(visible.Raw(a.stdout)) // export and the formats escape themselves
	}
	cmd := exec.Command("sh", "-c", command)
	cmd.Stdout, cmd.Stderr = visible.Raw(a.stdout), visible.Raw(a.stderr)
	cmd.Env = os.Environ()
	if _, set := os.LookupEnv("LESS"); !set {
		cmd.Env = append(cmd.Env, "LESS="+lessOptions)
	}
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return fmt.Errorf("pager %q: %w", command, err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("pager %q: %w; --no-pager does without one", command, err)
	}
	err = write(pipe)
	if errors.Is(err, syscall.EPIPE) {
		err = nil
	}
	_ = pipe.Close() // the pager may be gone
	if cmd.Wait() != nil && cmd.ProcessState.ExitCode() == notFound {
		return fmt.Errorf("PAGER: there is no command %q; --no-pager does without one", command)
	}
	return err
}

// notFound is the status of a shell that finds no command of a name.
const notFound = 127

// pager is the command line of the user's pager; empty: none, or standard output is no terminal.
func (a *app) pager() string {
	if a.flags.NoPager || !isTerminal(a.stdout) || os.Getenv("TERM") == "dumb" {
		return ""
	}
	command, set := os.LookupEnv("PAGER")
	switch {
	case set && command == "cat":
		return ""
	case set:
		return command
	}
	if _, err := exec.LookPath("less"); err != nil {
		return ""
	}
	return "less"
}
