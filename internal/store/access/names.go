package access

import (
	"context"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/store/pg"
)

// likeUser is the user whose name is alike, empty where there is none. Others who add or
// change users wait until the transaction ends.
func likeUser(ctx context.Context, tx pgx.Tx, name string) (string, error) {
	if _, err := pg.Exec(ctx, tx, "access.setup_lock"); err != nil {
		return "", err
	}
	return alike(ctx, tx, "access.user_names", name)
}

// alike is a name of those that a statement lists that is alike, the same before others.
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

// newUserName is the name that a user gets who signs in here: as names are stored, and
// alike to no other.
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
		return "", refuse("there is a user %q already", name)
	case like != "":
		return "", refuse("the name %q is too like that of user %q: choose another", name, like)
	}
	return name, nil
}

// newTokenName is the name that a token gets. Tokens may have the same name, as while one
// takes the place of another, and not one that only looks the same.
func newTokenName(ctx context.Context, tx pgx.Tx, text string) (name string, err error) {
	if name, err = access.NormalLabel(text); err != nil {
		return "", refuse("%s", err)
	}
	switch like, err := alike(ctx, tx, "access.token_names", name); {
	case err != nil:
		return "", err
	case like != "" && like != name:
		return "", refuse("the name %q is too like that of token %q: choose another, or the same", name, like)
	}
	return name, nil
}
