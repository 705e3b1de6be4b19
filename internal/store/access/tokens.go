package access

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
)

// Token is a credential for programs.
type Token = access.Token

// CreateToken creates a token that expires after life; 0: never.
func (s *Access) CreateToken(ctx context.Context, g Grant, life time.Duration) (id ledger.ID, token string, err error) {
	var expires *time.Time
	if life > 0 {
		at := g.At.Add(life)
		expires = &at
	}
	id, token = randomID(), access.NewToken()
	err = s.DB.InTx(ctx, "create token", func(tx pgx.Tx) error {
		scope, err := s.scopeOf(ctx, tx, g)
		if err != nil {
			return err
		}
		if g.Name, err = newTokenName(ctx, tx, g.Name); err != nil {
			return err
		}
		if _, err := pg.Exec(ctx, tx, "access.put_token", pg.Tenant, id, g.Name, g.Role, scope, access.Digest(token), g.At,
			expires, g.By); err != nil {
			return err
		}
		return audit(ctx, tx, g.At, g.By, "token created", id.String(), tokenGranted{g.Name, granted{g.Role, g.Conditions}})
	})
	return id, token, err
}

type tokenGranted struct {
	Name string `json:"name"`
	granted
}

// Token returns the viewer of a token; nil if it has expired, was revoked or never existed.
func (s *Access) Token(ctx context.Context, token string, at time.Time) (*access.Viewer, error) {
	if !access.LooksLikeToken(token) {
		return nil, nil
	}
	return s.viewer(ctx, access.ByToken, "access.token", pg.Tenant, access.Digest(token), at)
}

// RevokeToken ends a token.
func (s *Access) RevokeToken(ctx context.Context, id ledger.ID, by string, at time.Time) error {
	return s.DB.InTx(ctx, "revoke token", func(tx pgx.Tx) error {
		t, found, err := pg.Found(pg.One[Token](ctx, tx, "access.revoke_token", pg.Tenant, id, at))
		if err != nil {
			return err
		}
		if !found {
			return refuse("there is no token %s, or it is revoked already", id)
		}
		return audit(ctx, tx, at, by, "token revoked", id.String(), struct {
			Name string `json:"name"`
			moved
		}{t.Name, moved{stateOf{t.State(at), granted{t.Role, t.Conditions}}, stateOf{State: access.Revoked}}})
	})
}

// Tokens lists all tokens, the newest first.
func (s *Access) Tokens(ctx context.Context) ([]Token, error) {
	return pg.List[Token](ctx, s.DB.Pool, "access.tokens", pg.Tenant)
}
