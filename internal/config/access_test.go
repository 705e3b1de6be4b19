package config

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// provided supports roles and conditions of scopes.
var provided = Known{Roles: []string{"viewer", "team_lead", "admin"}, Scope: func(condition string) error {
	if !strings.HasPrefix(condition, "team = ") {
		return errors.New("it is no condition")
	}
	return nil
}}

const provider = `sources: []
access:
  oidc:
    issuer: https://login.example.com/realms/main
    client_id: gpuledger
    client_secret_env: OIDC_SECRET
    redirect_url: https://gpu.example.com/login/callback
    scopes: [groups]
    groups:
      - {group: gpu-admins, role: admin}
      - group: speech
        role: team_lead
        scope: ["team = 'speech'"]
`

func TestAProviderIsReadAndPrinted(t *testing.T) {
	c, err := Parse([]byte(provider), provided)
	if err != nil {
		t.Fatal(err)
	}
	o := c.Access.OIDC
	if o.Issuer != "https://login.example.com/realms/main" || o.ClientSecretEnv != "OIDC_SECRET" || len(o.Groups) != 2 ||
		o.Groups[1].Scope[0] != "team = 'speech'" {
		t.Errorf("read as %+v", o)
	}
	var out bytes.Buffer
	if err := c.Print(&out, func(uri string) string { return uri }); err != nil {
		t.Fatal(err)
	}
	again, err := Parse(out.Bytes(), provided)
	if err != nil || again.Access.OIDC.Groups[1].Role != "team_lead" {
		t.Errorf("what is printed is read as %+v, %v:\n%s", again, err, &out)
	}
	if c, err := Parse([]byte("sources: []\naccess: {}\n"), provided); err != nil || c.Access.OIDC != nil {
		t.Errorf("without a provider: %+v, %v", c, err)
	}
}

func TestFaultsOfAProviderNameTheirLine(t *testing.T) {
	for _, c := range []struct{ old, new, says string }{
		{
			"issuer: https://login.example.com/realms/main", "issuer: http://login.example.com",
			"line 4: access.oidc: issuer http://login.example.com: write https",
		},
		{"issuer: https://login.example.com/realms/main", "issuer: http://10.0.0.7", "write https"},
		{
			"issuer: https://login.example.com/realms/main",
			"issuer: https://a:hunter2@login.example.com", "issuer is not an address",
		},
		{"issuer: https://login.example.com/realms/main", "issuer: login.example.com", "issuer is not an address"},
		{"    issuer: https://login.example.com/realms/main\n", "", "issuer is missing"},
		{"issuer: https://login.example.com/realms/main", "issuer: http://127.0.0.1:9000", ""},
		{"issuer: https://login.example.com/realms/main", "issuer: http://[::1]:9000", ""},
		{"/login/callback", "/callback", "redirect_url must end in /login/callback"},
		{
			"https://gpu.example.com", "http://gpu.example.com",
			"redirect_url http://gpu.example.com/login/callback: write https",
		},
		{"https://gpu.example.com", "http://localhost:8080", ""},
		{"client_id: gpuledger", "client_id: ''", "client_id is missing"},
		{"OIDC_SECRET", "not a name", "client_secret_env names an environment variable"},
		{"client_secret_env: OIDC_SECRET", "client_secret: hunter2", "unknown field client_secret"},
		{
			"client_secret_env: OIDC_SECRET",
			"client_secret_env: OIDC_SECRET\n    client_secret_file: /run/secret", "give only one of them",
		},
		{"    client_secret_env: OIDC_SECRET\n", "", ""},
		{"scopes: [groups]", "scopes: [groups roles]", "scopes"},
		{
			"role: admin", "role: root",
			`line 10: access.oidc: group "gpu-admins": unknown role "root"; known roles are viewer, team_lead, admin`,
		},
		{"role: admin", "role: ingest", `unknown role "ingest"`},
		{"- group: speech", "- group: ''", "line 11: access.oidc: group is missing"},
		{"team = 'speech'", "model = 'x'", `line 11: access.oidc: group "speech": it is no condition`},
		{provider[strings.Index(provider, "    groups:"):], "", "groups is missing"},
	} {
		text := strings.Replace(provider, c.old, c.new, 1)
		if text == provider {
			t.Fatalf("%q is not there", c.old)
		}
		_, err := Parse([]byte(text), provided)
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%q: %v", c.new, err)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("it tells a secret: %v", err)
		}
	}
}
