package oidc_test

import (
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/oidc"
	"gpuledger/test/optest"
)

const origin = "http://127.0.0.1:8080"

// clock is this server's clock; the provider uses the machine's.
type clock struct{ ahead time.Duration }

func (c *clock) now() time.Time { return time.Now().Add(c.ahead) }

var groups = []access.Mapping{
	{Group: "speech", Role: access.RoleTeamLead, Conditions: []string{"team = 'speech'"}},
	{Group: "vision", Role: access.RoleTeamLead, Conditions: []string{"team = 'vision'"}},
	{Group: "finance", Role: access.RoleAnalyst},
	{Group: "finance-eu", Role: access.RoleAnalyst, Conditions: []string{"business_unit = 'eu'"}},
	{Group: "everybody", Role: access.RoleViewer},
	{Group: "machines", Role: access.RoleIngest},
}

func start(t *testing.T, change func(*oidc.Config)) (*optest.Provider, *oidc.Provider, *clock) {
	t.Helper()
	op, c := optest.New(t, origin), &clock{}
	op.SignsIn(carla)
	cfg := oidc.Config{
		Issuer: op.Issuer, ClientID: optest.ClientID, ClientSecret: optest.Secret,
		RedirectURL: origin + "/login/callback", Groups: groups, Now: c.now,
	}
	if change != nil {
		change(&cfg)
	}
	p, err := oidc.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return op, p, c
}

var carla = optest.User{
	Subject: "u-1", Claims: map[string]any{
		"preferred_username": "carla", "email": "carla@example.com", "groups": []string{"speech", "chess"},
	},
}

func with(change func(claims map[string]any)) optest.User {
	u := optest.User{Subject: carla.Subject, Claims: map[string]any{}}
	maps.Copy(u.Claims, carla.Claims)
	change(u.Claims)
	return u
}

// signIn does a sign-in like a browser, up to the redirect back to this server.
func signIn(t *testing.T, p *oidc.Provider) (access.SignInRequest, url.Values) {
	t.Helper()
	to, r, err := p.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{CheckRedirect: func(q *http.Request, _ []*http.Request) error {
		if strings.HasPrefix(q.URL.String(), origin) {
			return http.ErrUseLastResponse
		}
		return nil
	}}
	resp, err := browser.Get(to)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	at, err := resp.Location()
	if err != nil {
		t.Fatalf("the provider answers %s: %v", resp.Status, err)
	}
	if at.Query().Get("state") != r.State {
		t.Fatalf("the provider sends back to %s", at)
	}
	return r, at.Query()
}

func TestSignIn(t *testing.T) {
	op, p, _ := start(t, nil)
	r, answer := signIn(t, p)
	who, err := p.Finish(t.Context(), r, answer)
	if err != nil {
		t.Fatal(err)
	}
	if who.Issuer != op.Issuer || who.Subject != "u-1" || who.Name != "carla" ||
		!slices.Equal(who.Groups, []string{"speech", "chess"}) {
		t.Errorf("he is %+v", who)
	}
	if _, err := p.Finish(t.Context(), r, answer); !says(err, "invalid_grant") {
		t.Errorf("a code is good twice: %v", err)
	}
	want := op.Issuer + "/end_session?client_id=gpuledger&post_logout_redirect_uri=" + url.QueryEscape(origin+"/login")
	if to := p.EndSession(t.Context(), "/login"); to != want {
		t.Errorf("he signs out at %q", to)
	}
	if op.Asked("/.well-known/openid-configuration") != 1 || op.Asked("/keys") != 1 {
		t.Error("what the provider offers, and its keys, are asked for more than once")
	}
}

func says(err error, text string) bool { return err != nil && strings.Contains(err.Error(), text) }

// A client without these checks would accept each of the tokens and answers, and sign a user
// in.
func TestWhatProvesNothingIsRefused(t *testing.T) {
	edited := func(op *optest.Provider, t *testing.T, edit func(map[string]any)) optest.Faults {
		return optest.Faults{Forge: op.Edited(t, edit)}
	}
	for name, c := range map[string]struct {
		faults func(op *optest.Provider, t *testing.T) optest.Faults
		answer func(url.Values)
		says   string
	}{
		"another issuer": {
			func(*optest.Provider, *testing.T) optest.Faults { return optest.Faults{Issuer: "http://127.0.0.1:1"} },
			nil, "different provider",
		},
		"another nonce": {
			func(*optest.Provider, *testing.T) optest.Faults { return optest.Faults{Nonce: "another"} }, nil, "nonce",
		},
		"no nonce": {func(op *optest.Provider, t *testing.T) optest.Faults {
			return edited(op, t, func(c map[string]any) { delete(c, "nonce") })
		}, nil, "nonce"},
		"another audience": {func(op *optest.Provider, t *testing.T) optest.Faults {
			return edited(op, t, func(c map[string]any) { c["aud"] = "another" })
		}, nil, "audience"},
		"issued to another": {func(op *optest.Provider, t *testing.T) optest.Faults {
			return edited(op, t, func(c map[string]any) { c["azp"] = "another" })
		}, nil, `issued to another client, "another"`},
		"several audiences and no azp": {func(op *optest.Provider, t *testing.T) optest.Faults {
			return edited(op, t, func(c map[string]any) { c["aud"] = []string{"another", optest.ClientID}; delete(c, "azp") })
		}, nil, "azp"},
		"no subject": {func(op *optest.Provider, t *testing.T) optest.Faults {
			return edited(op, t, func(c map[string]any) { delete(c, "sub") })
		}, nil, "subject"},
		"a subject with a NUL": {func(op *optest.Provider, t *testing.T) optest.Faults {
			return edited(op, t, func(c map[string]any) { c["sub"] = "u\x00" })
		}, nil, "subject"},
		"no expiry": {func(op *optest.Provider, t *testing.T) optest.Faults {
			return edited(op, t, func(c map[string]any) { delete(c, "exp") })
		}, nil, "expired"},
		"expired": {
			func(*optest.Provider, *testing.T) optest.Faults { return optest.Faults{Lifetime: -61 * time.Second} },
			nil, "expired",
		},
		"issued in the future": {
			func(*optest.Provider, *testing.T) optest.Faults { return optest.Faults{Ahead: 63 * time.Second} }, nil, "clocks",
		},
		"not yet good": {func(op *optest.Provider, t *testing.T) optest.Faults {
			return edited(op, t, func(c map[string]any) { c["nbf"] = time.Now().Add(65 * time.Second).Unix() })
		}, nil, "not valid before"},
		"not signed": {
			func(*optest.Provider, *testing.T) optest.Faults { return optest.Faults{Forge: optest.Unsigned} }, nil, "none",
		},
		"signed with a secret": {func(_ *optest.Provider, t *testing.T) optest.Faults {
			return optest.Faults{Forge: optest.SignedBySecret(t, optest.Secret+optest.Secret)}
		}, nil, "HS256"},
		"signed by another key": {func(op *optest.Provider, t *testing.T) optest.Faults {
			return optest.Faults{Forge: op.SignedByAnother(t)}
		}, nil, "signature"},
		"no token": {func(*optest.Provider, *testing.T) optest.Faults {
			return optest.Faults{Forge: func(string) string { return "" }}
		}, nil, "malformed"},
		"another code":         {nil, func(v url.Values) { v.Set("code", "another") }, "invalid_grant"},
		"no code":              {nil, func(v url.Values) { v.Del("code") }, "neither a code nor an error"},
		"an answer of another": {nil, func(v url.Values) { v.Set("iss", "https://another.example") }, "another.example"},
		"an error":             {nil, func(v url.Values) { v.Set("error", "server_error") }, "server_error"},
	} {
		t.Run(name, func(t *testing.T) {
			op, p, _ := start(t, nil)
			if c.faults != nil {
				op.Misbehave(c.faults(op, t))
			}
			r, answer := signIn(t, p)
			if c.answer != nil {
				c.answer(answer)
			}
			who, err := p.Finish(t.Context(), r, answer)
			broken, is := errors.AsType[*oidc.Error](err)
			if !is || !says(err, c.says) || who.Subject != "" {
				t.Fatalf("it says %+v, %v", who, err)
			}
			for _, secret := range []string{optest.Secret, r.State, r.Nonce, r.Verifier, answer.Get("code")} {
				if len(secret) > 10 && strings.Contains(err.Error(), secret) || strings.Contains(broken.Sentence, c.says) {
					t.Errorf("it tells %q: %v", secret, err)
				}
			}
		})
	}
}

func TestAVerifierOfAnotherSignInIsRefused(t *testing.T) {
	_, p, _ := start(t, nil)
	r, answer := signIn(t, p)
	other, _ := signIn(t, p)
	r.Verifier = other.Verifier
	if _, err := p.Finish(t.Context(), r, answer); !says(err, "invalid_grant") {
		t.Errorf("another browser's code is taken: %v", err)
	}
}

func TestClocksMayDifferByAMinute(t *testing.T) {
	op, p, ours := start(t, nil)
	for _, c := range []struct {
		faults optest.Faults
		ahead  time.Duration
	}{
		{optest.Faults{Ahead: 55 * time.Second}, 0},
		{optest.Faults{Lifetime: 5 * time.Second}, 55 * time.Second},
		{optest.Faults{Lifetime: time.Hour}, 30 * time.Minute},
	} {
		op.Misbehave(c.faults)
		ours.ahead = c.ahead
		r, answer := signIn(t, p)
		if _, err := p.Finish(t.Context(), r, answer); err != nil {
			t.Errorf("%+v, ours %s ahead: %v", c.faults, c.ahead, err)
		}
	}
}

func TestKeysAreRotated(t *testing.T) {
	op, p, ours := start(t, nil)
	try := func() error {
		r, answer := signIn(t, p)
		_, err := p.Finish(t.Context(), r, answer)
		return err
	}
	if err := try(); err != nil {
		t.Fatal(err)
	}
	op.Rotate(t)
	if err := try(); err != nil {
		t.Fatalf("the new key is not taken: %v", err)
	}
	op.Misbehave(optest.Faults{Forge: op.SignedBefore(t)})
	if err := try(); !says(err, "signature") {
		t.Fatalf("the old key is still good: %v", err)
	}
	// A withdrawn key is trusted for an hour at most, even if no token with a new key arrives.
	op.Misbehave(optest.Faults{})
	if err := try(); err != nil {
		t.Fatal(err)
	}
	op.Rotate(t)
	op.Misbehave(optest.Faults{Forge: op.SignedBefore(t), Lifetime: 3 * time.Hour})
	ours.ahead = time.Hour
	if err := try(); !says(err, "signature") {
		t.Fatalf("the old key is good after an hour: %v", err)
	}
}

func TestAProviderThatIsDownIsAskedAgain(t *testing.T) {
	op, p, ours := start(t, nil)
	op.Misbehave(optest.Faults{Down: true})
	for range 3 {
		if _, _, err := p.Begin(t.Context()); !says(err, "does not answer") || !says(err, "503") {
			t.Fatalf("it is down, and says %v", err)
		}
	}
	if p.EndSession(t.Context(), "/login") != "" {
		t.Error("a provider that is down ends sessions")
	}
	if n := op.Asked("/.well-known/openid-configuration"); n != 1 {
		t.Errorf("it is asked %d times at once", n)
	}
	op.Misbehave(optest.Faults{})
	ours.ahead = 3 * time.Second
	r, answer := signIn(t, p)
	if _, err := p.Finish(t.Context(), r, answer); err != nil {
		t.Errorf("it is up again: %v", err)
	}
}

func TestAnIssuerOfAnotherNameIsRefused(t *testing.T) {
	_, p, _ := start(t, func(c *oidc.Config) { c.Issuer += "/" })
	if _, _, err := p.Begin(t.Context()); !says(err, "did not match") {
		t.Errorf("%v", err)
	}
}

func TestConfigurationsThatNeverWork(t *testing.T) {
	good := oidc.Config{
		Issuer: "https://login.example", ClientID: "x", RedirectURL: "https://gpu.example/login/callback", Now: time.Now,
	}
	for says, change := range map[string]func(*oidc.Config){
		"use https":    func(c *oidc.Config) { c.Issuer = "http://login.example" },
		"redirect URL": func(c *oidc.Config) { c.RedirectURL = "http://10.0.0.1/login/callback" },
		"user":         func(c *oidc.Config) { c.Issuer = "https://a:b@login.example" },
		"client id":    func(c *oidc.Config) { c.ClientID = "" },
		"ca file":      func(c *oidc.Config) { c.CAFile = "/does/not/exist" },
	} {
		c := good
		change(&c)
		if _, err := oidc.New(c); err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "a:b") {
			t.Errorf("%s: %v", says, err)
		}
	}
	if _, err := oidc.New(good); err != nil {
		t.Error(err)
	}
}
