package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
