package main

import (
	"errors"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/store"
	"gpuledger/internal/visible"
)

type userSetCmd struct {
	Name    string   `arg:"" help:"Name of the user."`
	Role    string   `placeholder:"ROLE" help:"viewer, team_lead, analyst, platform, auditor or admin. Without it, the role stays."`
	Scope   []string `placeholder:"EXPR" sep:"none" xor:"scope" help:"New scope, which replaces the old one. Several add up. Without it, the scope stays."`
	NoScope bool     `xor:"scope" help:"Remove the scope: viewers and team leads then see nothing, all others everything."`
	By      string   `placeholder:"NAME" help:"Name for the audit log; the operating system user by default."`
}

// Run implements the command.
func (c *userSetCmd) Run(a *app) error {
	change := access.Change{Name: c.Name, Role: access.Role(c.Role), By: actor(c.By), At: time.Now().UTC()}
	if len(c.Scope) > 0 || c.NoScope {
		change.Conditions = &c.Scope
	}
	if change.Role == "" && change.Conditions == nil {
		return errors.New("nothing to change: give --role, --scope or --no-scope")
	}
	return a.withStore(func(s *store.Store) error {
		now, err := s.Access.SetUser(a.ctx, change)
		if err != nil {
			return err
		}
		sees := access.ScopeWords(now.Role, now.Conditions)
		visible.Fprintf(a.stdout, "user %s has role %s and sees %s\n", now.Name, now.Role, sees)
		return nil
	})
}

type userSignOutCmd struct {
	Name string `arg:"" help:"Name of the user."`
	By   string `placeholder:"NAME" help:"Name for the audit log; the operating system user by default."`
}

// Run implements the command.
func (c *userSignOutCmd) Run(a *app) error {
	return a.withStore(func(s *store.Store) error {
		if err := s.Access.SignOutUser(a.ctx, c.Name, actor(c.By), time.Now().UTC()); err != nil {
			return err
		}
		visible.Fprintf(a.stdout, "user %s is signed out everywhere\n", c.Name)
		return nil
	})
}
