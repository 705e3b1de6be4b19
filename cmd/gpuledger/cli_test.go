package main

import (
	"bytes"
	"strings"
	"testing"
)

// gpuledger runs a command line in this process.
func gpuledger(t testing.TB, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), args, &out, &errs)
	return code, out.String(), errs.String()
}

func TestUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		says string // on standard error
	}{
		{[]string{"--help"}, exitOK, ""},
		{[]string{}, exitOK, ""},
		{[]string{"report", "--help"}, exitOK, ""},
		{[]string{"version"}, exitOK, ""},
		{[]string{"token", "create"}, exitUsage, "--role"},
		{[]string{"close", "calendar:fy/2026"}, exitUsage, "by billing period"},
		{[]string{"reopen", "2026-10"}, exitUsage, "--reason"},
		{[]string{"agent"}, exitUsage, "--server"},
		{[]string{"frobnicate"}, exitUsage, "frobnicate"},
		{[]string{"report", "forecast"}, exitUsage, "unknown dataset"},
		{[]string{"report", "costs", "--format", "xml"}, exitUsage, "format"},
		{[]string{"report", "costs", "--from", "soon"}, exitUsage, "from"},
		{[]string{"report", "costs", "--statement", "1"}, exitUsage, "statement"},
		{[]string{"import", "oci-usage", "x"}, exitUsage, "unknown"},
		{[]string{"import", "aws-cur"}, exitUsage, "uri"},
		{[]string{"import", "aws-cur", "x", "--delivered-at", "soon"}, exitUsage, "delivered-at"},
		{[]string{"allocate", "--from", "2026-11-02", "--to", "2026-11-01"}, exitUsage, "to"},
		{[]string{"verify", "--period", "2026"}, exitUsage, "period"},
		{[]string{"verify", "--period", "calendar:2026-10"}, exitUsage, "period"},
		{[]string{"demo", "--size", "huge"}, exitUsage, "size"},
	} {
		code, _, stderr := gpuledger(t, c.args...)
		if code != c.code || !strings.Contains(stderr, c.says) {
			t.Errorf("%v: status %d, %q", c.args, code, stderr)
		}
	}
}

// TestAddressesAreNotShown proves that errors hide a malformed database address, which may contain a password.
func TestAddressesAreNotShown(t *testing.T) {
	for _, address := range []string{
		"postgres://u:CANARY@127.0.0.1:99999/x", "nonsense CANARY", "postgres://u:CANARY%zz@h/x",
		"host=h sslmode=CANARY", "postgres://CANARY@[::1/x", "host=h port=CANARY",
		"host=127.0.0.1 port=1 user=u password=CANARY connect_timeout=1",
	} {
		for _, command := range []string{"report costs", "verify", "migrate", "doctor", "allocate"} {
			args := append([]string{"--database-url=" + address}, strings.Fields(command)...)
			code, stdout, stderr := gpuledger(t, args...)
			if code != exitFailed || stderr == "" || strings.Contains(stdout+stderr, "CANARY") {
				t.Errorf("%v: status %d: %s%s", args, code, stdout, stderr)
			}
		}
	}
}
