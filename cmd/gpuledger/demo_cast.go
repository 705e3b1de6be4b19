package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"text/tabwriter"
	"time"

	"golang.org/x/sync/errgroup"

	"gpuledger/internal/access"
	"gpuledger/internal/config"
	"gpuledger/internal/store"
	storeaccess "gpuledger/internal/store/access"
)

// role is one of the demo's users.
type role struct {
	name  string
	role  access.Role
	scope []string
	shows string
}

// roles has a user for each role; the first is the admin whom a server with access control
// invites on its first start. Every simulated fleet has this team and this project.
var roles = []role{
	{"admin", access.RoleAdmin, nil, "everything; manages users and their rights"},
	{"cfo", access.RoleAnalyst, nil, "all costs; closes months, sets the policy"},
	{"platform-engineer", access.RolePlatform, nil, "all machines; decides on recommendations"},
	{"auditor", access.RoleAuditor, nil, "everything and the audit log; changes nothing"},
	{"speech-lead", access.RoleTeamLead, []string{"team = 'speech'"}, "team speech only"},
	{"shelf-scan-viewer", access.RoleViewer, []string{"project = 'shelf-scan'"}, "project shelf-scan only"},
}

// addCast creates the demo's users, once. They have no password and no link to
// choose one: they sign in with the links of a running demo.
func (a *app) addCast(s *store.Store) error {
	at := time.Now().UTC()
	var list []access.Grant
	for _, r := range roles {
		list = append(list, access.Grant{Name: r.name, Role: r.role, Conditions: r.scope, By: "demo", At: at})
	}
	return s.Access.AddCast(a.ctx, list)
}

// cast signs the demo's users in by codes that only this process knows, until it ends.
type cast struct {
	access *storeaccess.Access
	codes  []string          // in the order of roles
	names  map[string]string // by digests of codes
	until  time.Time
}

// castLife is how long the links of a demo are valid.
const castLife = 24 * time.Hour

func newCast(s *store.Store, now time.Time) *cast {
	c := &cast{access: s.Access, names: map[string]string{}, until: now.Add(castLife)}
	for _, r := range roles {
		code := access.NewSecret()
		c.codes, c.names[string(access.Digest(code))] = append(c.codes, code), r.name
	}
	return c
}

// SignIn implements people.Cast.
func (c *cast) SignIn(ctx context.Context, code string, from access.Origin, at time.Time) (string, error) {
	name := c.names[string(access.Digest(code))]
	if name == "" || at.After(c.until) {
		return "", nil
	}
	return c.access.SignInCast(ctx, name, from, at)
}

// print lists the users with their links.
func (c *cast) print(w io.Writer, url string) {
	fmt.Fprintf(w, "see it as another person: each link signs you in at %s as often as you like, "+
		"for a day or until the demo ends\n", url)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i, r := range roles {
		fmt.Fprintf(t, "  %s\t%s\t%s/login/demo?code=%s\n", r.name, r.shows, url, c.codes[i])
	}
	_ = t.Flush() // like all printing: errors are ignored
}

// serveDemo runs two servers until the context ends: one at addr without access control,
// and one on another port where the demo's users sign in by links. The second
// has the usual gate, so that there is no third mode between on and off.
func (a *app) serveDemo(s *store.Store, addr string) error {
	cfg, err := demoConfig()
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "operator demo may change the books: Authorization: Bearer %s\n", os.Getenv(demoTokenEnv))
	group, ctx := errgroup.WithContext(a.ctx)
	open := *a
	open.ctx = ctx
	asked := open
	asked.cast = newCast(s, time.Now())
	at := make(chan string, 1)
	group.Go(func() error {
		return open.serve(s, addr, cfg, doorFlags{Auth: authOff}, func(listens string) error {
			sayWhere(a.stdout, doorFlags{}, listens)
			at <- listens
			return nil
		})
	})
	group.Go(func() error {
		var listens string
		select {
		case listens = <-at:
		case <-asked.ctx.Done():
			return nil
		}
		if err := s.Access.CheckRights(asked.ctx); err != nil { // for example, a login that may not create roles
			fmt.Fprintf(a.stdout, "the demo cannot offer sign-in as other people: %v\n", err)
			return nil
		}
		const seldom = config.Duration(24 * time.Hour) // the other server keeps the ledger up to date
		own := &config.Config{AllocateEvery: seldom}
		return asked.serve(s, nextPort(listens), own, doorFlags{Auth: authOn}, func(listens string) error {
			asked.cast.print(a.stdout, doorFlags{}.url(listens))
			return nil
		})
	})
	return group.Wait()
}

// nextPort is the address with the next port, or port 0 (any free one) if that is taken.
func nextPort(listens string) string {
	host, port, err := net.SplitHostPort(listens)
	if err != nil {
		return listens
	}
	if n, err := strconv.Atoi(port); err == nil {
		next := net.JoinHostPort(host, strconv.Itoa(n+1))
		if l, err := net.Listen("tcp", next); err == nil {
			_ = l.Close() // no connection was accepted
			return next
		}
	}
	return net.JoinHostPort(host, "0")
}
