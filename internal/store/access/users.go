package access

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
)

// linkLife is how long a link to choose a password is valid.
const linkLife = 24 * time.Hour

// User is a person who signs in.
type User = access.User

// AddUser adds a user. With an empty password it returns the secret of a link with which the user chooses one.
func (s *Access) AddUser(ctx context.Context, g Grant, password string) (link string, err error) {
	var hash *string
	if password != "" {
		if err := access.CheckPassword(g.Name, password); err != nil {
			return "", refuse("%s", err)
		}
		text, err := access.HashPassword(ctx, password)
		if err != nil {
			return "", err
		}
		hash = &text
	}
	if g.Role == access.RoleIngest {
		return "", refuse("role ingest is for programs that send telemetry: make a token (gpuledger token create)")
	}
	id := randomID()
	err = s.DB.InTx(ctx, "add user", func(tx pgx.Tx) error {
		scope, err := s.scopeOf(ctx, tx, g)
		if err != nil {
			return err
		}
		if g.Name, err = newUserName(ctx, tx, g.Name); err != nil {
			return err
		}
		n, err := pg.Exec(ctx, tx, "access.put_user", pg.Tenant, id, g.Name, g.Role, scope, hash, g.At)
		if err != nil {
			return err
		}
		if n == 0 {
			return refuse("there is a user %q already", g.Name)
		}
		if hash == nil {
			if link, err = putLink(ctx, tx, id, g.At); err != nil {
				return err
			}
		}
		return audit(ctx, tx, g.At, g.By, "user added", g.Name, granted{g.Role, g.Conditions})
	})
	return link, err
}

// granted is the audit log's detail about the grant of a user or token.
type granted struct {
	Role  access.Role `json:"role,omitempty"`
	Scope []string    `json:"scope,omitempty"`
}

// stateOf is granted with whether it can still be used.
type stateOf struct {
	State access.State `json:"state"`
	granted
}

// moved is the audit log's detail about a change: old and new state.
type moved struct {
	From any `json:"from"`
	To   any `json:"to"`
}

func putLink(ctx context.Context, tx pgx.Tx, user ledger.ID, at time.Time) (string, error) {
	link := access.NewSecret()
	_, err := pg.Exec(ctx, tx, "access.put_link", pg.Tenant, access.Digest(link), user, at.Add(linkLife))
	return link, err
}

// Link creates a link with which a user chooses a password; older links end.
func (s *Access) Link(ctx context.Context, name, by string, at time.Time) (link string, err error) {
	err = s.DB.InTx(ctx, "make a link", func(tx pgx.Tx) error {
		id, name, err := userID(ctx, tx, name)
		if err != nil {
			return err
		}
		if err := signsInHere(ctx, tx, id, name); err != nil {
			return err
		}
		if _, err := pg.Exec(ctx, tx, "access.drop_links", pg.Tenant, id); err != nil {
			return err
		}
		if link, err = putLink(ctx, tx, id, at); err != nil {
			return err
		}
		return audit(ctx, tx, at, by, "password link made", name, nil)
	})
	return link, err
}

// userID finds a user by name and returns the name as stored.
func userID(ctx context.Context, tx pgx.Tx, name string) (id ledger.ID, stored string, err error) {
	u, found, err := pg.Found(pg.One[struct {
		UserID ledger.ID
		Name   string
	}](ctx, tx, "access.user_id", pg.Tenant, name, access.Folded(name)))
	if err == nil && !found {
		err = refuse("there is no user %q", name)
	}
	return u.UserID, u.Name, err
}

// LinkOf returns the user whose link a secret belongs to; empty if the link is invalid or has ended.
func (s *Access) LinkOf(ctx context.Context, link string, at time.Time) (name string, err error) {
	name, _, err = pg.Found(pg.Value[string](ctx, s.DB.Pool, "access.link_user", pg.Tenant, access.Digest(link), at))
	return name, err
}

// ChoosePassword sets a password by a link. The link and all of the user's sessions end.
func (s *Access) ChoosePassword(ctx context.Context, link, password string, at time.Time) (name string, err error) {
	if name, err = s.LinkOf(ctx, link, at); err != nil {
		return "", err
	}
	if name == "" {
		return "", refuse("this link is no longer valid: ask an admin for another")
	}
	if err := access.CheckPassword(name, password); err != nil {
		return name, refuse("%s", err)
	}
	hash, err := access.HashPassword(ctx, password)
	if err != nil {
		return name, err
	}
	return name, s.DB.InTx(ctx, "choose a password", func(tx pgx.Tx) error {
		n, err := pg.Exec(ctx, tx, "access.use_link", pg.Tenant, access.Digest(link), at)
		if err != nil {
			return err
		}
		if n == 0 {
			return refuse("this link is no longer valid: ask an admin for another")
		}
		id, name, err := userID(ctx, tx, name)
		if err != nil {
			return err
		}
		for statement, args := range map[string][]any{
			"access.put_password": {pg.Tenant, id, hash}, "access.end_sessions": {pg.Tenant, id},
		} {
			if _, err := pg.Exec(ctx, tx, statement, args...); err != nil {
				return err
			}
		}
		return audit(ctx, tx, at, name, "password chosen", name, nil)
	})
}

// Users lists all users by name.
func (s *Access) Users(ctx context.Context) ([]User, error) {
	return pg.List[User](ctx, s.DB.Pool, "access.users", pg.Tenant)
}

// Setup creates the first user, an admin, and returns the secret of the link with which they choose a password. Until
// they do, each call replaces the link. Empty if there are other users or any user has a password.
func (s *Access) Setup(ctx context.Context, at time.Time) (link string, err error) {
	err = s.DB.InTx(ctx, "set up access control", func(tx pgx.Tx) error {
		if _, err := pg.Exec(ctx, tx, "access.setup_lock"); err != nil { // two servers may start at once
			return err
		}
		first, found, err := pg.Found(pg.One[struct {
			Name    string
			Waiting bool
		}](ctx, tx, "access.first_user", pg.Tenant))
		switch {
		case err != nil:
			return err
		case !found:
			id := randomID()
			if _, err := pg.Exec(ctx, tx, "access.put_user", pg.Tenant, id, firstUser, access.RoleAdmin, nil, nil,
				at); err != nil {
				return err
			}
			if err := audit(ctx, tx, at, "gpuledger", "user added", firstUser, granted{Role: access.RoleAdmin}); err != nil {
				return err
			}
			link, err = putLink(ctx, tx, id, at)
			return err
		case !first.Waiting || first.Name != firstUser:
			return nil
		}
		// The link of an earlier start was never used.
		id, _, err := userID(ctx, tx, first.Name)
		if err != nil {
			return err
		}
		if _, err := pg.Exec(ctx, tx, "access.drop_links", pg.Tenant, id); err != nil {
			return err
		}
		link, err = putLink(ctx, tx, id, at)
		return err
	})
	return link, err
}

// firstUser is the admin that Setup creates.
const firstUser = "admin"
