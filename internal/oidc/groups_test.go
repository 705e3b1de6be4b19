package oidc_test

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/access"
	"gpuledger/internal/oidc"
)

// A token without groups and a token with an empty list are different, and the messages say
// which it is.
func TestMissingGroupsAreNotNone(t *testing.T) {
	op, p, _ := start(t, nil)
	for name, c := range map[string]struct {
		change func(map[string]any)
		groups []string
		says   string
	}{
		"one as text": {func(c map[string]any) { c["groups"] = "speech" }, []string{"speech"}, ""},
		"none":        {func(c map[string]any) { c["groups"] = []string{} }, []string{}, ""},
		"no claim":    {func(c map[string]any) { delete(c, "groups") }, nil, `add the claim "groups"`},
		"null":        {func(c map[string]any) { c["groups"] = nil }, nil, "not a list of groups"},
		"objects":     {func(c map[string]any) { c["groups"] = []any{map[string]any{"id": 1}} }, nil, "not a list of groups"},
		"overage":     {overage, nil, "groups overage"},
		"implicit":    {func(c map[string]any) { delete(c, "groups"); c["hasgroups"] = true }, nil, "groups overage"},
		"some elsewhere": {
			func(c map[string]any) { groups := c["groups"]; overage(c); c["groups"] = groups }, nil, "groups overage",
		},
	} {
		op.SignsIn(with(c.change))
		r, answer := signIn(t, p)
		who, err := p.Finish(t.Context(), r, answer)
		if c.says == "" {
			if err != nil || !slices.Equal(who.Groups, c.groups) {
				t.Errorf("%s: %v, %v", name, who.Groups, err)
			}
			continue
		}
		if _, is := errors.AsType[*access.RefusedError](err); !is || !says(err, c.says) {
			t.Errorf("%s: %v, %v", name, who.Groups, err)
		}
	}
}

// overage is the claim that Entra ID sends for a user in more than 200 groups.
func overage(c map[string]any) {
	delete(c, "groups")
	c["_claim_names"] = map[string]any{"groups": "src1"}
	c["_claim_sources"] = map[string]any{
		"src1": map[string]any{"endpoint": "https://graph.example/users/u-1/getMemberObjects"},
	}
}

func TestDisplayNames(t *testing.T) {
	op, p, _ := start(t, nil)
	for want, change := range map[string]func(map[string]any){
		"carla":             func(map[string]any) {},
		"carla@example.com": func(c map[string]any) { delete(c, "preferred_username") },
		"u-1":               func(c map[string]any) { delete(c, "preferred_username"); c["email"] = " \u202e\x00" },
		"car la":            func(c map[string]any) { c["preferred_username"] = "\tcar\x00\u202ela\n" },
		strings.Repeat("ä", 60): func(c map[string]any) {
			c["preferred_username"] = strings.Repeat("ä", 1000)
		},
	} {
		op.SignsIn(with(change))
		r, answer := signIn(t, p)
		if who, err := p.Finish(t.Context(), r, answer); err != nil || who.Name != want {
			t.Errorf("he is called %q, not %q: %v", who.Name, want, err)
		}
	}
}

func TestRefusalAtTheProvider(t *testing.T) {
	_, p, _ := start(t, nil)
	_, r, err := p.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Finish(t.Context(), r, url.Values{
		"error": {"access_denied"}, "error_description": {"<b>go to evil.example</b>"},
	})
	if _, is := errors.AsType[*access.RefusedError](err); !is || says(err, "evil") {
		t.Errorf("%v", err)
	}
}

func TestWhatGroupsGive(t *testing.T) {
	_, p, _ := start(t, nil)
	for in, want := range map[string]string{
		"speech":                    "team_lead team = 'speech'",
		"vision speech vision":      "team_lead team = 'speech' team = 'vision'",
		"everybody":                 "viewer",
		"everybody speech":          "team_lead team = 'speech'",
		"finance-eu speech":         "analyst business_unit = 'eu'",
		"finance-eu finance":        "analyst",
		"machines":                  "",
		"Speech":                    "",
		"":                          "",
		"machines everybody others": "viewer",
	} {
		role, conditions, err := p.Grant(access.Identity{Groups: strings.Fields(in)})
		got := strings.TrimSpace(string(role) + " " + strings.Join(conditions, " "))
		if _, is := errors.AsType[*access.RefusedError](err); got != want || is != (want == "") {
			t.Errorf("groups %q give %q, %v, not %q", in, got, err, want)
		}
	}
}

// With a wrong client secret, the code is sent only once, and not again with another authentication method.
func TestWrongClientSecretIsSentOnce(t *testing.T) {
	op, p, _ := start(t, func(c *oidc.Config) { c.ClientSecret = "wrong-secret-of-tests" })
	r, answer := signIn(t, p)
	if _, err := p.Finish(t.Context(), r, answer); !says(err, "invalid_client") || says(err, "wrong-secret") {
		t.Errorf("%v", err)
	}
	if n := op.Asked("/oauth/token"); n != 1 {
		t.Errorf("the code is sent %d times", n)
	}
}
