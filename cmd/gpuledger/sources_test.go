package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestConfigCommands(t *testing.T) {
	must := func(args ...string) string {
		t.Helper()
		code, out, errs := gpuledger(t, args...)
		if code != exitOK {
			t.Fatalf("%q: status %d: %s", args, code, errs)
		}
		return out
	}
	must("--config="+filepath.Join("..", "..", "deploy", "gpuledger.yaml"), "config", "check")
	good := writeConfig(t, "sources:\n  - name: a\n    uri: https://host/x.csv?sig=hush\n  - name: b\n    source: "+
		"aws-cur\n    uri: s3://bills/cur\n    role_arn: arn:x\n    external_id: secret\n    schedule: daily 04:00\n")
	if out := must(good, "config", "check"); !strings.Contains(out, "2 sources, 1 of them on a schedule") {
		t.Error(out)
	}
	if out := must(good, "config", "print"); strings.Contains(out, "hush") || strings.Contains(out, "secret") ||
		!strings.Contains(out, "daily 04:00 UTC") {
		t.Error(out)
	}
	for _, c := range []struct {
		args  []string
		code  int
		words string
	}{
		{[]string{"config", "check"}, exitUsage, "--config"},
		{[]string{writeConfig(t, "sources:\n  - name: a\n    url: x\n"), "config", "check"}, exitFailed, ".yaml:3: unknown field url in sources (did you mean uri?)"},
		{
			[]string{writeConfig(t, "sources:\n  - name: a\n    uri: x\n    delivered_at: soon\n"), "config", "check"},
			exitFailed, `.yaml:2: source "a": delivered_at`,
		},
		{[]string{"--config=/nonexistent.yaml", "import"}, exitFailed, "nonexistent.yaml"},
		{[]string{"import"}, exitUsage, "--config"},
		{[]string{"import", "aws-cur"}, exitUsage, "what to import"},
		{[]string{good, "import", "nobody"}, exitUsage, "no source of this name"},
		{[]string{good, "import", "--cluster=x"}, exitUsage, "in the configuration of the source"},
		{[]string{writeConfig(t, "sources: []\n"), "import"}, exitFailed, "names no sources"},
	} {
		if code, _, errs := gpuledger(t, c.args...); code != c.code || !strings.Contains(errs, c.words) {
			t.Errorf("%q: status %d: %s", c.args, code, errs)
		}
	}
}

func writeConfig(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "gpuledger.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return "--config=" + path
}
