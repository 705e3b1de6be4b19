package main

import (
	"context"
	"os/user"

	"gpuledger/internal/confirm"
)

// actor is the name to record for a change: name if given, else the operating system user.
func actor(name string) string {
	if name != "" {
		return name
	}
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return "unknown"
}

// commanded is the context of a change on the command line. Users are not authenticated there, so a command can
// request a change that needs a second person, but never confirm one.
func (a *app) commanded() context.Context { return confirm.OnCommandLine(a.ctx, actor("")) }
