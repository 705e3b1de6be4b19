package config

import (
	"bytes"
	"strings"
	"testing"
)

const front = `sources: []
access:
  proxy:
    user_header: X-Forwarded-User
    groups_header: X-Forwarded-Groups
    groups_separator: ";"
    addresses: [10.0.0.7, "2001:db8::/64"]
    sign_out_url: /oauth2/sign_out?rd=%2F
    groups:
      - {group: gpu-admins, role: admin}
      - {group: speech, role: team_lead, scope: ["team = 'speech'"]}
`

func TestAProxyIsReadAndPrinted(t *testing.T) {
	c, err := Parse([]byte(front), provided)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := c.Print(&out, func(uri string) string { return uri }); err != nil {
		t.Fatal(err)
	}
	again, err := Parse(out.Bytes(), provided)
	if err != nil {
		t.Fatalf("what is printed: %v\n%s", err, &out)
	}
	p := again.Access.Proxy
	if p.UserHeader != "X-Forwarded-User" || p.Separator != ";" || len(p.Addresses) != 2 ||
		p.Groups[1].Scope[0] != "team = 'speech'" || again.Access.OIDC != nil {
		t.Errorf("read as %+v", p)
	}
}

func TestFaultsOfAProxyNameTheirLine(t *testing.T) {
	for _, c := range []struct{ old, new, says string }{
		{"user_header: X-Forwarded-User", "user_header: Remote-User", ""},
		{"    user_header: X-Forwarded-User\n", "", "line 4: access.proxy: user_header is missing"},
		{"    groups_header: X-Forwarded-Groups\n", "", "line 4: access.proxy: groups_header is missing"},
		{"user_header: X-Forwarded-User", "user_header: X_Forwarded_User", "is not a header name"},
		{"user_header: X-Forwarded-User", "user_header: 'X-User: '", "is not a header name"},
		{"user_header: X-Forwarded-User", "user_header: authorization", "authorization has another meaning"},
		{"user_header: X-Forwarded-User", "user_header: X-Forwarded-For", "X-Forwarded-For has another meaning"},
		{"user_header: X-Forwarded-User", "user_header: x-forwarded-groups", "are the same"},
		{`";"`, `";;"`, "groups_separator"},
		{`";"`, `x`, "groups_separator"},
		{`";"`, `" "`, ""},
		{"10.0.0.7", "proxy.example.com", `addresses: "proxy.example.com" is not an address or CIDR`},
		{"/oauth2/sign_out?rd=%2F", "https://sso.example.com/out?rd=https://gpu.example.com", ""},
		{"/oauth2/sign_out?rd=%2F", "//evil.example", "sign_out_url"},
		{"/oauth2/sign_out?rd=%2F", "javascript:alert(1)", "sign_out_url"},
		{"/oauth2/sign_out?rd=%2F", "https://a:hunter2@sso.example.com", "sign_out_url"},
		{"/oauth2/sign_out?rd=%2F", "out", "sign_out_url"},
		{"role: admin", "role: ingest", `line 10: access.proxy: group "gpu-admins": unknown role "ingest"`},
		{"team = 'speech'", "model = 'x'", `line 11: access.proxy: group "speech": it is no condition`},
		{"{group: speech,", "{group: '',", "line 11: access.proxy: group is missing"},
		{"user_header:", "user_headers:", "unknown field user_headers"},
		{front[strings.Index(front, "    groups:\n"):], "", "groups is missing"},
	} {
		text := strings.Replace(front, c.old, c.new, 1)
		if text == front {
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
