package main

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"gpuledger/internal/access"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/internal/visible"
)

type biCmd struct {
	Login biLoginCmd `cmd:"" help:"Create a login that reads schema bi_v1 within a scope, and print how to connect. Run it again to change the password or scope."`
	Bind  biBindCmd  `cmd:"" help:"Bind a login created by an administrator to a scope, and let it read schema bi_v1. Run it again to change the scope."`
	List  biListCmd  `cmd:"" help:"List the logins with their scopes."`
	Drop  biDropCmd  `cmd:"" help:"Drop a login. One created by an administrator stays, but no longer reads anything."`
}

type biLoginCmd struct {
	Name  string   `arg:"" help:"Name of the login: lower-case letters, digits, underscores."`
	Scope []string `placeholder:"EXPR" sep:"none" help:"Scope of the login, as for users. Without one, everything."`
	By    string   `placeholder:"NAME" help:"Name for the audit log; the operating system user by default."`
}

// Run implements the command.
func (c *biLoginCmd) Run(a *app) error {
	return a.withDatabase(begins, pg.Options{}, func(s *store.Store, dsn string) error {
		c.Name = access.Folded(c.Name)
		password, left, err := s.Access.Login(a.ctx, c.Name, c.Scope, actor(c.By), time.Now().UTC())
		if err != nil {
			return err
		}
		to, err := loginDSN(dsn, c.Name, password)
		if err != nil {
			return err
		}
		visible.Fprintf(a.stdout, "login %s reads schema bi_v1 within its scope; the password is shown only once\n", c.Name)
		if a.flags.DatabaseURL == "" {
			visible.Fprintf(a.stdout, "over TCP, while gpuledger serve runs with --bi-listen %s:\n%s\nfrom this machine, while gpuledger serve runs:\n",
				usualDoor, (&url.URL{Scheme: "postgres", User: url.UserPassword(c.Name, password), Host: usualDoor,
					Path: databaseName, RawQuery: "sslmode=disable"}).String())
		}
		visible.Fprintf(a.stdout, "%s\n", to)
		sayLeft(a, left)
		return nil
	})
}

// usualDoor is the address at which examples let BI tools in. 5432 may be another PostgreSQL.
const usualDoor = "127.0.0.1:5433"

type biBindCmd struct {
	Name  string   `arg:"" help:"Name of the login, which must have the right to connect and no other."`
	Scope []string `placeholder:"EXPR" sep:"none" help:"Scope of the login, as for users. Without one, everything."`
	By    string   `placeholder:"NAME" help:"Name for the audit log; the operating system user by default."`
}

// Run implements the command.
func (c *biBindCmd) Run(a *app) error {
	return a.withDatabase(begins, pg.Options{}, func(s *store.Store, dsn string) error {
		left, err := s.Access.BindLogin(a.ctx, c.Name, c.Scope, actor(c.By), time.Now().UTC())
		if err != nil {
			return err
		}
		to, err := loginDSN(dsn, c.Name, "")
		if err != nil {
			return err
		}
		visible.Fprintf(a.stdout, "login %s reads schema bi_v1 within its scope, with the password that the administrator "+
			"set:\n%s\n", c.Name, to)
		sayLeft(a, left)
		return nil
	})
}

// sayLeft prints the steps that an administrator still has to take after a change of a login.
func sayLeft(a *app, left []string) {
	for _, what := range left {
		visible.Fprintf(a.stdout, "still to do: %s\n", what)
	}
}

// loginDSN is the address dsn for another login, without a password if password is empty.
func loginDSN(dsn, name, password string) (string, error) {
	conf, err := pgconn.ParseConfig(dsn)
	if err != nil {
		return "", fmt.Errorf("database address: %w", err)
	}
	q := url.Values{}
	who := url.UserPassword(name, password)
	if password == "" {
		who = url.User(name)
	}
	u := url.URL{Scheme: "postgres", User: who, Path: "/" + conf.Database}
	if len(conf.Host) > 0 && conf.Host[0] == '/' { // a socket
		q.Set("host", conf.Host)
		q.Set("port", strconv.Itoa(int(conf.Port)))
	} else {
		u.Host = conf.Host + ":" + strconv.Itoa(int(conf.Port))
	}
	plain := func(f *pgconn.FallbackConfig) bool { return f.TLSConfig == nil }
	// sslmode prefer allows a plain fallback: then TLS cannot be required
	if conf.TLSConfig != nil && !slices.ContainsFunc(conf.Fallbacks, plain) {
		q.Set("sslmode", "require")
	}
	u.RawQuery = q.Encode()
	return u.String(), nil
}

type biListCmd struct {
	Output string `enum:"text,json" default:"text" help:"List as ${enum}."`
}

// Run implements the command.
func (c *biListCmd) Run(a *app) error {
	return a.readStore(func(s *store.Store) error {
		list, err := s.Access.Logins(a.ctx)
		if err != nil {
			return err
		}
		return a.printSummary(c.Output, list, func() string {
			return columns([]string{"NAME", "MADE BY", "SCOPE"}, len(list), func(i int) []string {
				by := "gpuledger"
				if list[i].Bound {
					by = "administrator"
				}
				return []string{list[i].Name, by, list[i].Sees()}
			})
		})
	})
}

type biDropCmd struct {
	Name string `arg:"" help:"Name of the login."`
	By   string `placeholder:"NAME" help:"Name for the audit log; the operating system user by default."`
}

// Run implements the command.
func (c *biDropCmd) Run(a *app) error {
	return a.withStore(func(s *store.Store) error {
		left, err := s.Access.DropLogin(a.ctx, c.Name, actor(c.By), time.Now().UTC())
		if err != nil {
			return err
		}
		visible.Fprintf(a.stdout, "login %s no longer reads this ledger\n", c.Name)
		sayLeft(a, left)
		return nil
	})
}
