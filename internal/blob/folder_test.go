package blob

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// failing is content that ends in an error.
type failing struct{ io.ReadSeeker }

var errDisk = errors.New("the disk is gone")

func (f failing) Read(p []byte) (int, error) {
	n, err := f.ReadSeeker.Read(p)
	if errors.Is(err, io.EOF) {
		err = errDisk
	}
	return n, err
}

func names(t *testing.T, f Folder) (list []string) {
	t.Helper()
	entries, err := f.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		list = append(list, e.Name)
	}
	return list
}

func TestLocalFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	f, err := Stores{}.Folder("file://" + dir)
	if err != nil {
		t.Fatal(err)
	}
	if list := names(t, f); list != nil {
		t.Errorf("a folder that is not there has %v", list)
	}
	put := func(name, text string) {
		if err := f.Put(t.Context(), name, strings.NewReader(text), int64(len(text))); err != nil {
			t.Fatal(err)
		}
	}
	put("manifest.json", "{}")
	put("day=2026-10-01/a.csv", "x")
	put("day=2026-10-01/a.csv", "longer")
	put("day=2026-10-02/b.csv", "y")
	entries, err := f.List(t.Context())
	if want := []Entry{{"day=2026-10-01/a.csv", 6}, {"day=2026-10-02/b.csv", 1}, {"manifest.json", 2}}; err != nil ||
		!reflect.DeepEqual(entries, want) {
		t.Errorf("%v, %v", entries, err)
	}
	if text, err := f.Sub("day=2026-10-01").Read(t.Context(), "a.csv", 6); err != nil || string(text) != "longer" {
		t.Errorf("%q %v", text, err)
	}
	if _, err := f.Read(t.Context(), "day=2026-10-01/a.csv", 5); err == nil {
		t.Error("a file larger than allowed is read")
	}
	if _, err := f.Read(t.Context(), "none", 5); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	for range 2 { // the second time it is gone already
		if err := f.Remove(t.Context(), "day=2026-10-01/a.csv"); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "day=2026-10-01")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the empty directory stays: %v", err)
	}
}

// A write that fails leaves the earlier file, and nothing else.
func TestABrokenWriteLeavesTheEarlierFile(t *testing.T) {
	dir := t.TempDir()
	f, err := Stores{}.Folder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Put(t.Context(), "a", strings.NewReader("old"), 3); err != nil {
		t.Fatal(err)
	}
	if err := f.Put(t.Context(), "a", failing{strings.NewReader("new")}, 6); !errors.Is(err, errDisk) {
		t.Errorf("%v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := f.Put(ended, "a", strings.NewReader("new"), 3); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if text, err := f.Read(t.Context(), "a", 9); err != nil || string(text) != "old" {
		t.Errorf("%q %v", text, err)
	}
	left := filepath.Join(dir, unfinished+"1")
	if err := os.WriteFile(left, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if list := names(t, f); !reflect.DeepEqual(list, []string{"a"}) {
		t.Errorf("%v", list)
	}
	if err := f.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	if found, err := os.ReadDir(dir); err != nil || len(found) != 1 {
		t.Errorf("%v %v", found, err)
	}
}

// memory is a store that also writes.
type memory map[string][]byte

func (m memory) List(_ context.Context, uri string) (list []Object, err error) {
	for at, text := range m {
		if name, ok := Below(strings.TrimPrefix(uri, "mem://"), strings.TrimPrefix(at, "mem://")); ok {
			list = append(list, Object{Name: name, Address: at, Size: int64(len(text)), Content: held(text)})
		}
	}
	if len(list) == 0 {
		return nil, ErrNothing
	}
	return list, nil
}

func (m memory) Put(_ context.Context, uri string, content io.ReadSeeker, _ int64) error {
	text, err := io.ReadAll(content)
	m[uri] = text
	return err
}

func (m memory) Remove(_ context.Context, uri string) error { delete(m, uri); return nil }

type held []byte

func (h held) Range(_ context.Context, from, to int64) (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader(h[from:to])), nil
}

func TestRemoteFolder(t *testing.T) {
	m := memory{}
	f, err := Stores{"mem": m}.Folder("mem://b/out")
	if err != nil {
		t.Fatal(err)
	}
	if list := names(t, f); list != nil {
		t.Errorf("an empty folder has %v", list)
	}
	for name, text := range map[string]string{"x/b": "2", "a": "one"} {
		if err := f.Put(t.Context(), name, strings.NewReader(text), int64(len(text))); err != nil {
			t.Fatal(err)
		}
	}
	m["mem://b/outside"] = []byte("another folder's")
	if list := names(t, f); !reflect.DeepEqual(list, []string{"a", "x/b"}) {
		t.Errorf("%v", list)
	}
	if text, err := f.Sub("x").Read(t.Context(), "b", 9); err != nil || string(text) != "2" {
		t.Errorf("%q %v", text, err)
	}
	if _, err := f.Read(t.Context(), "none", 9); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if err := f.Remove(t.Context(), "a"); err != nil || len(m) != 2 {
		t.Errorf("%v %v", m, err)
	}
}

func TestWrongFoldersAreRefused(t *testing.T) {
	for uri, words := range map[string]string{"": "no folder", "s3://": "no folder", "file://": "no folder",
		"https://user:secret@host/x": "https://host/x: known are local paths, file://, mem://"} {
		if _, err := (Stores{"mem": memory{}}).Folder(uri); err == nil || !strings.Contains(err.Error(), words) ||
			strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", uri, err)
		}
	}
}

func TestJoin(t *testing.T) {
	for _, c := range [][3]string{
		{"s3://b/x/", "a b", "s3://b/x/a b"}, {"az://a/c/x?sig=s", "a b/c", "az://a/c/x/a%20b/c?sig=s"},
		{"gs://b", "m", "gs://b/m"}, {"s3://b/x", "", "s3://b/x/"},
	} {
		if got := Join(c[0], c[1]); got != c[2] {
			t.Errorf("%s + %s = %s, want %s", c[0], c[1], got, c[2])
		}
	}
}
