package access

import (
	"context"
	"embed"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store/book"
	"gpuledger/internal/store/pg"
)

//go:embed sql
var sqlFiles embed.FS

var _ = pg.Register(sqlFiles)

// Access is the access store of one database. It is safe for concurrent use.
type Access struct {
	DB   *pg.DB
	cast bool // accept sessions of demo users
}

func refuse(format string, args ...any) error {
	return &access.RefusedError{Reason: fmt.Sprintf(format, args...)}
}

// Grant is the name, role and scope that a user or token gets.
type Grant = access.Grant

// longestName bounds names, in bytes.
const longestName = 200

// scopeOf creates the scope of a grant within a transaction; nil for a grant without conditions, which sees everything.
func (s *Access) scopeOf(ctx context.Context, tx pgx.Tx, g Grant) (*ledger.ID, error) {
	if g.Name == "" || len(g.Name) > longestName || pg.CleanText(g.Name) != g.Name ||
		strings.ContainsFunc(g.Name, unicode.IsControl) {
		return nil, refuse("a name is one line of text, of 1 to %d bytes", longestName)
	}
	if _, err := access.ParseRole(string(g.Role)); err != nil {
		return nil, refuse("%s", err)
	}
	if len(g.Conditions) == 0 && g.Role.SeesAll() {
		return nil, nil
	}
	if len(g.Conditions) > 0 && !g.Role.May(access.Read) {
		return nil, refuse("role %s reads nothing, so it has no scope", g.Role)
	}
	return putScope(ctx, tx, g.Conditions, false)
}

// putScope stores a scope with its members.
func putScope(ctx context.Context, tx pgx.Tx, conditions []string, everything bool) (*ledger.ID, error) {
	if conditions == nil {
		conditions = []string{}
	}
	if _, err := parseScope(conditions); err != nil {
		return nil, err
	}
	id := randomID()
	if _, err := pg.Exec(ctx, tx, "access.put_scope", pg.Tenant, id, conditions, everything); err != nil {
		return nil, err
	}
	return &id, refreshScopes(ctx, tx, &id)
}

// audit appends a change of access to the audit log.
func audit(ctx context.Context, tx pgx.Tx, at time.Time, by, action, subject string, detail any) error {
	text, err := jsonText(detail)
	if err != nil {
		return err
	}
	return book.Audit(ctx, tx, at, by, action, subject, text)
}

// viewer reads the viewer that a session or token statement finds; nil if there is none.
func (s *Access) viewer(ctx context.Context, kind access.Kind, statement string, args ...any) (*access.Viewer, error) {
	v, found, err := pg.Found(pg.One[access.Viewer](ctx, s.DB.Pool, statement, args...))
	if !found {
		return nil, err
	}
	v.Kind = kind
	return &v, nil
}
