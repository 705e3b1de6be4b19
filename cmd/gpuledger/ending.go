package main

import (
	"os"
	"time"
)

// endWithin ends the process when a command that serves has not ended by itself
// so long after it was told to: whoever stalls it. What was answered is stored,
// and what was not may be cut off at any time. The command calls ended.
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
