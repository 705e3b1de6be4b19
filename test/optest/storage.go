package optest

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	jose "github.com/go-jose/go-jose/v4"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

// storage is the provider's state; it implements op.Storage. Methods that only other flows need are refused.
type storage struct {
	p      *Provider
	origin string

	mu       sync.Mutex
	requests map[string]*request
	codes    map[string]string // ids of requests
	count    int
}

var errNotHere = errors.New("the provider of tests does not do this")

func (s *storage) signIn(id string) {
	user, faults := s.p.now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.requests[id]; r != nil {
		r.user, r.faults, r.done, r.signedIn = user, faults, true, time.Now() //nolint:forbidigo // the library reads the clock as well
	}
}

// CreateAuthRequest implements op.Storage.
func (s *storage) CreateAuthRequest(_ context.Context, asked *oidc.AuthRequest, _ string) (op.AuthRequest, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count++
	r := &request{asked: asked, id: "request-" + strconv.Itoa(s.count)}
	s.requests[r.id] = r
	return r, nil
}

// AuthRequestByID implements op.Storage.
func (s *storage) AuthRequestByID(_ context.Context, id string) (op.AuthRequest, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.requests[id]; r != nil {
		return r, nil
	}
	return nil, errors.New("there is no such request")
}

// AuthRequestByCode implements op.Storage.
func (s *storage) AuthRequestByCode(ctx context.Context, code string) (op.AuthRequest, error) {
	s.mu.Lock()
	id := s.codes[code]
	s.mu.Unlock()
	return s.AuthRequestByID(ctx, id)
}

// SaveAuthCode implements op.Storage.
func (s *storage) SaveAuthCode(_ context.Context, id, code string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.codes[code] = id
	return nil
}

// DeleteAuthRequest implements op.Storage.
func (s *storage) DeleteAuthRequest(_ context.Context, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.requests, id)
	return nil
}

// CreateAccessToken implements op.Storage.
func (s *storage) CreateAccessToken(context.Context, op.TokenRequest) (string, time.Time, error) {
	return "access", time.Now().Add(5 * time.Minute), nil //nolint:forbidigo // the library reads the clock as well
}

// SigningKey implements op.Storage.
func (s *storage) SigningKey(context.Context) (op.SigningKey, error) { return s.p.key(), nil }

// SignatureAlgorithms implements op.Storage.
func (s *storage) SignatureAlgorithms(context.Context) ([]jose.SignatureAlgorithm, error) {
	return []jose.SignatureAlgorithm{jose.RS256}, nil
}

// KeySet implements op.Storage.
func (s *storage) KeySet(context.Context) ([]op.Key, error) {
	return []op.Key{public{s.p.key()}}, nil
}

// GetClientByClientID implements op.Storage.
func (s *storage) GetClientByClientID(_ context.Context, id string) (op.Client, error) {
	if id != ClientID {
		return nil, errors.New("there is no such client")
	}
	_, faults := s.p.now()
	return client{s.origin, faults}, nil
}

// AuthorizeClientIDSecret implements op.Storage.
func (s *storage) AuthorizeClientIDSecret(_ context.Context, id, secret string) error {
	if id != ClientID || secret != Secret {
		return errors.New("client and secret do not belong together")
	}
	return nil
}

// SetUserinfoFromScopes implements op.Storage: it sets the claims of ID tokens.
func (s *storage) SetUserinfoFromScopes(_ context.Context, info *oidc.UserInfo, subject, _ string, _ []string) error {
	user, _ := s.p.now()
	info.Subject = subject // else the library sets an empty one
	for name, value := range user.Claims {
		info.AppendClaims(name, value)
	}
	return nil
}

// GetPrivateClaimsFromScopes implements op.Storage.
func (s *storage) GetPrivateClaimsFromScopes(context.Context, string, string, []string) (map[string]any, error) {
	return nil, nil
}

// TerminateSession implements op.Storage.
func (s *storage) TerminateSession(context.Context, string, string) error { return nil }

// Health implements op.Storage.
func (s *storage) Health(context.Context) error { return nil }

// Methods of flows that gpuledger never begins.

func (s *storage) CreateAccessAndRefreshTokens(
	context.Context, op.TokenRequest, string,
) (string, string, time.Time, error) {
	return "", "", time.Time{}, errNotHere
}

func (s *storage) TokenRequestByRefreshToken(context.Context, string) (op.RefreshTokenRequest, error) {
	return nil, errNotHere
}

func (s *storage) RevokeToken(context.Context, string, string, string) *oidc.Error {
	return oidc.ErrInvalidRequest()
}

func (s *storage) GetRefreshTokenInfo(context.Context, string, string) (string, string, error) {
	return "", "", op.ErrInvalidRefreshToken
}

func (s *storage) SetUserinfoFromToken(context.Context, *oidc.UserInfo, string, string, string) error {
	return errNotHere
}

func (s *storage) SetIntrospectionFromToken(
	context.Context, *oidc.IntrospectionResponse, string, string, string,
) error {
	return errNotHere
}

func (s *storage) GetKeyByIDAndClientID(context.Context, string, string) (*jose.JSONWebKey, error) {
	return nil, errNotHere
}

func (s *storage) ValidateJWTProfileScopes(context.Context, string, []string) ([]string, error) {
	return nil, errNotHere
}
