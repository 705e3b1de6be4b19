package main

import (
	"os"
	"time"
)

// endWithin ends the process if a serving command is still running that long after its
// context ended, whatever stalls it. Acknowledged data is stored by then,
// and everything else may be cut off at any time. The command calls ended when it returns.
func (a *app) endWithin(longest time.Duration) (ended func()) {
	done := make(chan struct{})
	go func() {
		select {
		case <-done:
			return
		case <-a.ctx.Done():
		}
		timer := time.NewTimer(longest)
		defer timer.Stop()
		select {
		case <-done:
		case <-timer.C:
			a.log.Error("shutdown takes too long: the process ends now", "after", longest)
			os.Exit(exitFailed)
		}
	}()
	return func() { close(done) }
}
