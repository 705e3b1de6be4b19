package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFileNamesOfOwners(t *testing.T) {
	for _, plain := range []string{"speech", "foundation-models", "a.b_c-9"} {
		if got := fileName(plain); got != plain {
			t.Errorf("%q became %q", plain, got)
		}
	}
	seen := map[string]string{}
	for _, owner := range []string{"Speech", "SPEECH", "speech", "../etc", "..", ".", "a/b", "a_b", "a\\b", "a\x00b",
		"研究", "研发", "-rf", strings.Repeat("x", 500), strings.Repeat("x", 501)} {
		name := fileName(owner)
		if filepath.Base(name) != name || strings.HasPrefix(name, ".") || name != strings.ToLower(name) || len(name) > 140 {
			t.Errorf("%q became %q", owner, name)
		}
		if other, twice := seen[name]; twice {
			t.Errorf("%q and %q are both %q", owner, other, name)
		}
		seen[name] = owner
	}
}

func TestFoldersAppearWholeOrNotAtAll(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "october")
	fill := func(err error) func(string) error {
		return func(at string) error {
			return errors.Join(os.WriteFile(filepath.Join(at, "speech.csv"), nil, 0o600), err)
		}
	}
	if err := writeFolder(dir, fill(errors.New("disk full"))); err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("%v", err)
	}
	if left, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(left) != 0 {
		t.Errorf("left %v (%v)", left, err)
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := writeFolder(dir, fill(nil)); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "speech.csv")); err != nil {
		t.Error(err)
	}
	if err := writeFolder(dir, fill(nil)); err == nil {
		t.Error("mixed with files of an earlier run")
	}
}
