package localpg

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"syscall"
	"time"
)

// Pauses between checks whether the server lives. After a failed start the pause doubles each time, up to slowestLook.
const (
	look        = 250 * time.Millisecond
	slowestLook = 30 * time.Second
)

// keeper starts the server again whenever it has ended, for as long as its process uses it.
type keeper struct {
	cancel context.CancelFunc
	ended  chan struct{}
}

func keep(c *cluster, log *slog.Logger) keeper {
	ctx, cancel := context.WithCancel(context.Background())
	k := keeper{cancel: cancel, ended: make(chan struct{})}
	go func() {
		defer close(k.ended)
		for wait := look; ; {
			select {
			case <-ctx.Done():
				return
			case <-time.After(wait):
			}
			switch ended, err := c.revive(ctx); {
			case err != nil && ctx.Err() == nil:
				wait = min(2*wait, slowestLook)
				log.Error("the local PostgreSQL does not start again", "error", err, "ended", ended, "next_try", wait)
			case err == nil:
				wait = look
				if ended != "" {
					log.Warn("the local PostgreSQL had ended and was started again", "ended", ended)
				}
			}
		}
	}()
	return k
}

// stop returns when no restart is under way.
func (k keeper) stop() {
	k.cancel()
	<-k.ended
}

// revive starts the server if it has no supervisor any more, and returns how it had ended if so. One process does so at
// a time; the others check later.
func (c *cluster) revive(ctx context.Context) (ended string, err error) {
	starting, err := tryLock(c.root, startLock, syscall.LOCK_EX)
	if err != nil || starting == nil {
		return "", err
	}
	defer func() { err = errors.Join(err, starting.release()) }()
	lives, err := c.supervisorLives()
	if err != nil || lives {
		return "", err
	}
	ended = cmp.Or(c.supervisorText(), "its supervisor was killed")
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	return ended, c.startSupervisor(ctx)
}
