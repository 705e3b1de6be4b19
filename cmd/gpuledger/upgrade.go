package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"

	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/internal/visible"
)

type upgradeCmd struct {
	Check upgradeCheckCmd `cmd:"" help:"Show what this version would change in the database, and what prevents that. Changes nothing."`
}

type upgradeCheckCmd struct {
	Wait   time.Duration `default:"0s" help:"Check again until no blocker is left, for this long at most."`
	Output string        `enum:"text,json" default:"text" help:"Report as ${enum}."`
}

// checkAgain is the pause between two checks of --wait.
const checkAgain = 5 * time.Second

// errBlocked says that the report, which was printed, has blockers.
var errBlocked = errors.New("the upgrade is blocked: nothing was changed")

// Run implements the command.
func (c *upgradeCheckCmd) Run(a *app) error {
	if fresh, err := a.fresh(); fresh || err != nil {
		if err == nil {
			_, err = fmt.Fprintln(a.stdout, "there is no database yet: the first command that writes creates it")
		}
		return err
	}
	dsn, closeServer, err := a.database()
	if err != nil {
		return err
	}
	defer closeServer()
	s, err := store.Open(a.ctx, dsn, pg.Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	var free func(string) (int64, error)
	if a.flags.DatabaseURL == "" {
		free = freeSpace
	}
	ctx, cancel := context.WithTimeout(a.ctx, max(c.Wait, 0))
	defer cancel()
	for {
		u, err := s.CheckUpgrade(a.ctx, free)
		if err != nil {
			return err
		}
		if !u.Ready && c.Wait > 0 {
			select {
			case <-time.After(checkAgain):
				continue
			case <-ctx.Done():
			}
		}
		if err := a.printSummary(c.Output, u, func() string { return upgradeText(u) }); err != nil {
			return err
		}
		if !u.Ready {
			return errBlocked
		}
		return nil
	}
}

// freeSpace is the space that is left to users on the disk of a folder.
func freeSpace(folder string) (int64, error) {
	var is syscall.Statfs_t
	if err := syscall.Statfs(folder, &is); err != nil {
		return 0, err
	}
	return int64(is.Bavail) * is.Bsize, nil
}

// upgradeText is the report as text.
func upgradeText(u *store.Upgrade) string {
	var b strings.Builder
	visible.Fprintf(&b, "database  PostgreSQL %s, schema version %d; this gpuledger has %d\n", u.Server, u.Found, u.Wanted)
	for _, m := range u.Pending {
		visible.Fprintf(&b, "pending   %03d %s", m.Number, m.Name)
		if len(m.Tables) > 0 {
			visible.Fprintf(&b, " (changes %s)", strings.Join(m.Tables, ", "))
		}
		b.WriteString("\n")
	}
	if len(u.Rebuilds) > 0 {
		visible.Fprintf(&b, "rebuilds  %s\n", strings.Join(u.Rebuilds, ", "))
	}
	for _, f := range u.Findings {
		visible.Fprintf(&b, "%-8s  %s: %s\n", f.Level, f.Name, f.Text)
	}
	switch {
	case !u.Ready:
		b.WriteString("\nthe upgrade is blocked\n")
	case len(u.Pending)+len(u.Rebuilds) == 0:
		b.WriteString("\nnothing to migrate\n")
	default:
		b.WriteString("\nthe upgrade can go ahead: back up, then start this version or run `gpuledger migrate`\n")
	}
	return b.String()
}
