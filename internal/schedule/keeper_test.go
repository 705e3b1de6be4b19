package schedule

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"
)

func TestKeeperAllocatesWhatArrived(t *testing.T) {
	tick, looked := make(chan time.Time), make(chan string, 10)
	var waits, fails atomic.Bool
	k := &Keeper{Tick: tick, Log: slog.New(slog.DiscardHandler),
		Waiting: func(context.Context) (bool, error) { looked <- "asked"; return waits.Load(), nil },
		Allocate: func(context.Context) error {
			looked <- "allocated"
			if fails.Load() {
				return errors.New("the database is away")
			}
			return nil
		}}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { k.Run(ctx); close(done) }()
	step := func(want ...string) {
		t.Helper()
		tick <- time.Time{}
		for _, w := range want {
			if got := <-looked; got != w {
				t.Errorf("%s, want %s", got, w)
			}
		}
	}
	step("allocated") // work left by an earlier process
	step("asked")
	step("asked")
	k.Arrived()
	fails.Store(true)
	step("allocated")
	tick <- time.Time{} // no check happens between the failure and this tick
	if got := <-looked; got != "allocated" {
		t.Error(got)
	}
	fails.Store(false)
	step("allocated") // the retry
	step("asked")
	waits.Store(true)
	step("asked", "allocated")
	stop()
	<-done
	if len(looked) != 0 {
		t.Error(<-looked)
	}
}
