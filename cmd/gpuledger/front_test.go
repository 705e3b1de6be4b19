package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gpuledger/internal/config"
)

// The server does not start with a sign-in proxy whose range is too wide, or that --proxy does not name.
func TestTooWideProxyIsRefused(t *testing.T) {
	front := func(addresses []string, proxies ...string) error {
		f := doorFlags{Auth: authOn, Proxy: proxies}
		_, err := f.front(&config.Config{Access: config.Access{Proxy: &config.Proxy{Addresses: addresses}}})
		return err
	}
	for _, c := range []struct {
		addresses, proxies []string
		says               string
	}{
		{nil, nil, "start the server with --proxy"},
		{[]string{"10.0.0.7"}, nil, "start the server with --proxy"},
		{nil, []string{"0.0.0.0/0"}, "is too wide for a proxy"},
		{nil, []string{"10.0.0.7", "::/0"}, "is too wide for a proxy"},
		{nil, []string{"128.0.0.0/1"}, "is too wide for a proxy"},
		{nil, []string{"::ffff:0.0.0.0/96"}, "is too wide for a proxy"},
		{[]string{"10.0.0.7"}, []string{"0.0.0.0/0"}, ""},
		{[]string{"10.0.0.7"}, []string{"10.0.0.0/24"}, ""},
		{[]string{"10.0.0.0/8"}, []string{"10.0.0.0/24"}, "is not within --proxy"},
		{[]string{"192.0.2.1"}, []string{"10.0.0.0/24"}, "is not within --proxy"},
		{nil, []string{"10.0.0.0/8", "fd00::/8", "127.0.0.1"}, ""},
	} {
		err := front(c.addresses, c.proxies...)
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%v of %v: %v", c.addresses, c.proxies, err)
		}
	}
	const text = "sources: []\naccess:\n  proxy: {user_header: X-Forwarded-User, groups_header: X-Forwarded-Groups, " +
		"addresses: [127.0.0.2], groups: [{group: g, role: admin}]}\n"
	file := filepath.Join(t.TempDir(), "gpuledger.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := gpuledger(t, "--database-url=postgres://127.0.0.1:1/x", "--config="+file, "serve", "--auth=on",
		"--addr=127.0.0.1:0"); code != exitFailed || !strings.Contains(errs, "start the server with --proxy") {
		t.Errorf("without --proxy: status %d: %s", code, errs)
	}
}
