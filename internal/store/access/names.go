package access

import (
	"context"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/store/pg"
)

// likeUser returns the name of a user that looks like name; empty if there is none. It locks changes of users until the
// transaction ends.
func likeUser(ctx context.Context, tx pgx.Tx, name string) (string, error) {
	if _, err := pg.Exec(ctx, tx, "access.setup_lock"); err != nil {
		return "", err
	}
	return alike(ctx, tx, "access.user_names", name)
}

// alike returns a listed name that looks like name, the identical one if there is one; empty if there is none.
func alike(ctx context.Context, tx pgx.Tx, statement, name string) (like string, err error) {
	names, err := pg.Values[string](ctx, tx, statement, pg.Tenant)
	if err != nil {
		return "", err
	}
	for _, other := range names {
		if other == name {
			return other, nil
		}
		if access.Alike(other, name) {
			like = other
		}
	}
	return like, nil
}

// newUserName normalizes the name of a new user with a local sign-in and refuses one that looks like an existing name.
func newUserName(ctx context.Context, tx pgx.Tx, text string) (name string, err error) {
	if name, err = access.NormalName(text); err != nil {
		return "", refuse("%s", err)
	}
	if access.Alike(name, programName) {
		return "", refuse("the audit log calls gpuledger itself %q: choose another name", programName)
	}
	switch like, err := likeUser(ctx, tx, name); {
	case err != nil:
		return "", err
	case like == name:
		return "", refuse("there is already a user %q", name)
	case like != "":
		return "", refuse("the name %q looks too much like user %q: choose another", name, like)
	}
	return name, nil
}

// newTokenName normalizes the name of a new token. Tokens may share a name, for rotation, but a name that only looks
// like another is refused.
func newTokenName(ctx context.Context, tx pgx.Tx, text string) (name string, err error) {
	if name, err = access.NormalLabel(text); err != nil {
		return "", refuse("%s", err)
	}
	switch like, err := alike(ctx, tx, "access.token_names", name); {
	case err != nil:
		return "", err
	case like != "" && like != name:
		return "", refuse("the name %q looks too much like token %q: choose another, or exactly that name", name, like)
	}
	return name, nil
}
