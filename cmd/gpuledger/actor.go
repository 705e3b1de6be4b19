package main

import (
	"context"
	"os/user"

	"gpuledger/internal/confirm"
)

// actor is who does something that is recorded.
func actor(name string) string {
	if name != "" {
		return name
	}
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return "unknown"
}

// commanded is the context of a change on the command line. Nobody shows there who he is,
// so what needs a second person is asked for, and never confirmed.
func (a *app) commanded() context.Context { return confirm.OnCommandLine(a.ctx, actor("")) }
