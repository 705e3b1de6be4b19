package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gpuledger/internal/localpg"
)

// userKeyEnv holds the key that hashes users of LLM gateways. If
// several machines import into one database, all need the same key.
const userKeyEnv = "GPULEDGER_USER_HASH_KEY"

// minUserKey is the least length of a key, in bytes.
const minUserKey = 16

// userKey returns the key of this installation: from the environment, else from
// the data directory, where it is created on first use.
func (a *app) userKey() ([]byte, error) {
	if key := strings.TrimSpace(os.Getenv(userKeyEnv)); key != "" {
		if len(key) < minUserKey {
			return nil, fmt.Errorf("%s has fewer than %d characters", userKeyEnv, minUserKey)
		}
		return []byte(key), nil
	}
	dir := a.flags.DataDir
	if dir == "" {
		var err error
		if dir, err = localpg.DefaultDataDir(); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	return keyFile(filepath.Join(dir, "user-hash.key"))
}

// keyFile reads a key, or creates it. If several processes create it at once,
// one wins and all use that key.
func keyFile(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		fresh := make([]byte, 32)
		_, _ = rand.Read(fresh) // never fails
		if err = writeNew(path, []byte(hex.EncodeToString(fresh)+"\n")); err != nil {
			return nil, err
		}
		text, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, err
	}
	key := strings.TrimSpace(string(text))
	if len(key) < minUserKey {
		return nil, fmt.Errorf("%s is damaged: a key has at least %d characters. Restore the file: with another key, "+
			"users get other "+
			"hashes", path, minUserKey)
	}
	return []byte(key), nil
}

// writeNew creates a file, complete or not at all. An existing file stays as it is.
func writeNew(path string, text []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(path), ".user-hash-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp.Name()) }() // linked under its final name, or useless
	_, err = temp.Write(text)
	if err = errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return err
	}
	if err := os.Link(temp.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}
