package config

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every fault of a file is named at once, with its file and line, whatever its kind is.
func TestAllFaultsAreNamedAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gpuledger.yaml")
	const text = `sourcs: []
operators:
  - {name: a, token_env: T, may: [clsoe]}
sources:
  - name: aws
    uri: s3://bills
    schedule: hourly
    regoin: eu-west-1
    keep_everything: maybe
  - name: aws
    source: aws-curr
    uri: /x
  - 7
scrape:
  - {name: dcgm, http_sd: "http://x", interval: 5 minutes}
limits: {rate: -1, exports: 900}
retention:
  samples: 10d
log_levl: x
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Load(path, known)
	faults, ok := errors.AsType[*Faults](err)
	if !ok {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.SplitSeq(faults.Error(), "\n") {
		line = strings.TrimPrefix(line, path)
		line, _, _ = strings.Cut(line, "; known ")
		got = append(got, line)
	}
	want := []string{
		"13 faults",
		`:1: unknown field sourcs (did you mean sources?)`,
		`:3: operator "a": unknown right "clsoe" (did you mean close?)`,
		`:7: schedule "hourly": write "every 6h", "every 30m", "every 2d" or "daily 04:00 UTC"`,
		`:8: unknown field regoin in sources (did you mean region?)`,
		":9: cannot unmarshal str `maybe` into bool",
		`:10: source "aws": the name is already used on line 5`,
		`:10: source "aws": unknown source "aws-curr" (did you mean aws-cur?)`,
		":13: cannot unmarshal int `7`",
		`:15: "5 minutes" is not a time span: write 15s, 5m, 24h or 30d`,
		":16: limits.exports: give a number from 1 to 200; each takes a database connection",
		":16: limits.rate: give a number from 1 to 100000",
		":18: retention.samples: give at least 60d, so that bills are final before the minutes that split them are deleted",
		`:19: unknown field log_levl`,
	}
	slices.Sort(got[1:])
	slices.Sort(want[1:])
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// Faults of a file that is no mapping, or whose sections have another form, are faults and no crash.
func TestAnyYAMLIsReadOrRefused(t *testing.T) {
	for _, text := range []string{
		"7", "[]", "sources: {a: b}", "sources: [[1], {name: a, uri: x}]", "access: 7", "access: {oidc: [1]}",
		"a: &x {name: b, uri: /y}\nsources: [*x]", "sources:\n  - &x {name: a, uri: /x}\n  - {<<: *x, name: b}",
		"sources: [7, {name: a}]", "? [a]\n: b", "limits: []", "operators: [null]",
	} {
		if c, err := Parse([]byte(text), known); c == nil && err == nil {
			t.Errorf("%q: nothing", text)
		}
	}
}
