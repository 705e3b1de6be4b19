package main

import (
	"errors"
	"fmt"
	storeaccess "gpuledger/internal/store/access"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/store"
	"gpuledger/internal/visible"
)

type userCmd struct {
	Add     userAddCmd     `cmd:"" help:"Add a user. Without a password, prints a link with which the user chooses one."`
	List    userListCmd    `cmd:"" help:"List users with their roles and scopes."`
	Set     userSetCmd     `cmd:"" help:"Change a user's role or scope. Their sessions end."`
	SignOut userSignOutCmd `cmd:"" name:"sign-out" help:"End all sessions of a user, who can sign in again."`
	Link    userLinkCmd    `cmd:"" help:"Print a one-time link with which a user chooses a new password. The old one works until then."`
	Disable userDisableCmd `cmd:"" help:"Disable a user and end their sessions. They stay in the audit log."`
}

// grantFlags are the role and scope of a user or token.
type grantFlags struct {
	Role  string   `required:"" placeholder:"ROLE" help:"viewer, team_lead, analyst, platform, auditor, admin or ingest."`
	Scope []string `placeholder:"EXPR" sep:"none" help:"Scope: a condition on business_unit, team, project, environment and cluster, such as \"team = 'speech'\". Several add up. Without one: everything, but nothing for viewer and team_lead."`
	By    string   `placeholder:"NAME" help:"Name for the audit log; the operating system user by default."`
}

func (f grantFlags) grant(name string) storeaccess.Grant {
	return storeaccess.Grant{
		Name: name, Role: access.Role(f.Role), Conditions: f.Scope, By: actor(f.By), At: time.Now().UTC(),
	}
}

type userAddCmd struct {
	Name string `arg:"" help:"Name to sign in with."`
	grantFlags
	PasswordStdin bool   `help:"Read the password from standard input, one line."`
	URL           string `placeholder:"URL" default:"http://127.0.0.1:8080" help:"Address of the server, for the link."`
}

// Run implements the command.
func (c *userAddCmd) Run(a *app) error {
	password := ""
	if c.PasswordStdin {
		text, err := io.ReadAll(io.LimitReader(os.Stdin, 64<<10))
		if err != nil {
			return fmt.Errorf("read the password: %w", err)
		}
		if password = strings.TrimRight(string(text), "\r\n"); password == "" {
			return errors.New("standard input holds no password")
		}
	}
	return a.withStore(func(s *store.Store) error {
		link, err := s.Access.AddUser(a.ctx, c.grant(c.Name), password)
		if err != nil {
			return err
		}
		visible.Fprintf(a.stdout, "user %s is added with role %s\n", access.Folded(c.Name), c.Role)
		if link != "" {
			visible.Fprintf(a.stdout, "link to choose a password, valid once and for a day: %s\n", welcomeURL(c.URL, link))
		}
		return nil
	})
}

// welcomeURL is the address of a link to choose a password.
func welcomeURL(server, link string) string {
	return strings.TrimSuffix(server, "/") + "/welcome?code=" + link
}

type userLinkCmd struct {
	Name string `arg:"" help:"Name of the user."`
	By   string `placeholder:"NAME" help:"Name for the audit log; the operating system user by default."`
	URL  string `placeholder:"URL" default:"http://127.0.0.1:8080" help:"Address of the server."`
}

// Run implements the command.
func (c *userLinkCmd) Run(a *app) error {
	return a.withStore(func(s *store.Store) error {
		link, err := s.Access.Link(a.ctx, c.Name, actor(c.By), time.Now().UTC())
		if err != nil {
			return err
		}
		visible.Fprintf(a.stdout, "%s\n", welcomeURL(c.URL, link))
		return nil
	})
}

type userDisableCmd struct {
	Name string `arg:"" help:"Name of the user."`
	By   string `placeholder:"NAME" help:"Name for the audit log; the operating system user by default."`
}

// Run implements the command.
func (c *userDisableCmd) Run(a *app) error {
	return a.withStore(func(s *store.Store) error {
		if err := s.Access.DisableUser(a.ctx, c.Name, actor(c.By), time.Now().UTC()); err != nil {
			return err
		}
		visible.Fprintf(a.stdout, "user %s can no longer sign in\n", c.Name)
		return nil
	})
}

type userListCmd struct {
	Output string `enum:"text,json" default:"text" help:"List as ${enum}."`
}

// listedUser is a user as JSON.
type listedUser struct {
	Name       string       `json:"name"`
	Role       access.Role  `json:"role"`
	Scope      []string     `json:"scope"`
	State      access.State `json:"state"`
	CreatedAt  time.Time    `json:"created_at"`
	LastSeenAt *time.Time   `json:"last_seen_at"`
}

// Run implements the command.
func (c *userListCmd) Run(a *app) error {
	return a.readStore(func(s *store.Store) error {
		users, err := s.Access.Users(a.ctx)
		if err != nil {
			return err
		}
		list := []listedUser{}
		for _, u := range users {
			list = append(list, listedUser{u.Name, u.Role, u.Conditions, u.State(), u.CreatedAt, u.SeenAt})
		}
		return a.printSummary(c.Output, list, func() string {
			return columns([]string{"NAME", "ROLE", "STATE", "LAST SEEN", "SCOPE"}, len(list), func(i int) []string {
				u := list[i]
				return []string{u.Name, string(u.Role), string(u.State), seenText(u.LastSeenAt), access.ScopeWords(u.Role, u.Scope)}
			})
		})
	})
}

// columns lays out a list as a table. A value can neither begin a line nor a column.
func columns(heads []string, rows int, row func(int) []string) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(heads, "\t"))
	for i := range rows {
		shown := row(i)
		for at, value := range shown {
			shown[at] = visible.Text(value)
		}
		fmt.Fprintln(w, strings.Join(shown, "\t"))
	}
	_ = w.Flush() // into memory
	return b.String()
}

func seenText(at *time.Time) string {
	if at == nil {
		return "never"
	}
	return at.UTC().Format("2006-01-02 15:04")
}
