package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store"
	"gpuledger/internal/visible"
)

type tokenCmd struct {
	Create tokenCreateCmd `cmd:"" help:"Create a token. It is printed once; only its digest is kept."`
	List   tokenListCmd   `cmd:"" help:"List tokens with their names, roles, scopes and last use."`
	Revoke tokenRevokeCmd `cmd:"" help:"Revoke a token. It stops working at once."`
}

type tokenCreateCmd struct {
	Name string `required:"" help:"Name that tells what the token is for."`
	grantFlags
	Expires string `placeholder:"DAYS" help:"Lifetime: 90d, 12h. Without it, the token does not expire."`
	Output  string `enum:"text,json" default:"text" help:"Print as ${enum}."`
}

// Run implements the command.
func (c *tokenCreateCmd) Run(a *app) error {
	life, err := lifeOf(c.Expires)
	if err != nil {
		return err
	}
	return a.withStore(func(s *store.Store) error {
		id, token, err := s.Access.CreateToken(a.ctx, c.grant(c.Name), life)
		if err != nil {
			return err
		}
		made := struct {
			ID    string `json:"id"`
			Token string `json:"token"`
		}{id.String(), token}
		return a.printSummary(c.Output, made, func() string {
			return fmt.Sprintf("token %s (%s, %s) is shown only once:\n%s\n", id, c.Role,
				access.ScopeWords(access.Role(c.Role), c.Scope), token)
		})
	})
}

// lifeOf parses 90d or 12h; an empty text is 0: without end.
func lifeOf(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	var life time.Duration
	var err error
	if days, ok := strings.CutSuffix(text, "d"); ok {
		var n int
		n, err = strconv.Atoi(days)
		life = time.Duration(n) * 24 * time.Hour
	} else {
		life, err = time.ParseDuration(text)
	}
	if err != nil || life <= 0 || life > 100*365*24*time.Hour {
		return 0, fmt.Errorf("--expires %q is not a duration such as 90d or 12h", text)
	}
	return life, nil
}

type tokenRevokeCmd struct {
	ID string `arg:"" help:"Id of the token, from token list."`
	By string `placeholder:"NAME" help:"Name for the audit log; the operating system user by default."`
}

// Run implements the command.
func (c *tokenRevokeCmd) Run(a *app) error {
	id, err := ledger.ParseID(c.ID)
	if err != nil {
		return fmt.Errorf("id %q: %w", c.ID, err)
	}
	return a.withStore(func(s *store.Store) error {
		if err := s.Access.RevokeToken(a.ctx, id, actor(c.By), time.Now().UTC()); err != nil {
			return err
		}
		visible.Fprintf(a.stdout, "token %s is revoked\n", id)
		return nil
	})
}

type tokenListCmd struct {
	Output string `enum:"text,json" default:"text" help:"List as ${enum}."`
}

// listedToken is a token as JSON.
type listedToken struct {
	ID         string       `json:"id"`
	Name       string       `json:"name"`
	Role       access.Role  `json:"role"`
	Scope      []string     `json:"scope"`
	State      access.State `json:"state"`
	CreatedAt  time.Time    `json:"created_at"`
	ExpiresAt  *time.Time   `json:"expires_at"`
	LastUsedAt *time.Time   `json:"last_used_at"`
}

// Run implements the command.
func (c *tokenListCmd) Run(a *app) error {
	return a.readStore(func(s *store.Store) error {
		tokens, err := s.Access.Tokens(a.ctx)
		if err != nil {
			return err
		}
		list := []listedToken{}
		for _, t := range tokens {
			list = append(list, listedToken{
				t.ID.String(), t.Name, t.Role, t.Conditions, t.State(time.Now()), t.CreatedAt, t.ExpiresAt, t.UsedAt,
			})
		}
		return a.printSummary(c.Output, list, func() string {
			return columns([]string{"ID", "NAME", "ROLE", "STATE", "EXPIRES", "LAST USED", "SCOPE"}, len(list),
				func(i int) []string {
					t := list[i]
					return []string{
						t.ID, t.Name, string(t.Role), string(t.State), seenText(t.ExpiresAt),
						seenText(t.LastUsedAt), access.ScopeWords(t.Role, t.Scope),
					}
				})
		})
	})
}
