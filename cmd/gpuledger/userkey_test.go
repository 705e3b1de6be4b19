package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestUserKeyIsCreatedOnce(t *testing.T) {
	t.Setenv(userKeyEnv, "")
	a := &app{flags: &globals{DataDir: filepath.Join(t.TempDir(), "data")}}
	first, err := a.userKey()
	if err != nil || len(first) != 64 {
		t.Fatal(err, len(first))
	}
	again, err := a.userKey()
	if err != nil || !bytes.Equal(first, again) {
		t.Error(err, "another key")
	}
	path := filepath.Join(a.flags.DataDir, "user-hash.key")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(err, info.Mode())
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := a.userKey(); err == nil {
		t.Error("an empty key is no key")
	}
	t.Setenv(userKeyEnv, "0123456789abcdef")
	if key, err := a.userKey(); err != nil || string(key) != "0123456789abcdef" {
		t.Error(err)
	}
	t.Setenv(userKeyEnv, "short")
	if _, err := a.userKey(); err == nil {
		t.Error("a short key is refused")
	}
}
