package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestFilesAreWholeAndOthersWrittenThrough(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	text := func(s string) func(io.Writer) error {
		return func(w io.Writer) error {
			_, err := io.WriteString(w, s)
			return err
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	is := func(name, want string) {
		t.Helper()
		got, err := os.ReadFile(at(name))
		if err != nil || string(got) != want {
			t.Errorf("%s holds %q (%v), want %q", name, got, err, want)
		}
	}

	must(writeFile(at("new"), text("a")))
	is("new", "a")
	broken := func(w io.Writer) error { return errors.Join(text("half")(w), errors.New("broken")) }
	if err := writeFile(at("new"), broken); err == nil {
		t.Error("what fails half-way fails")
	}
	is("new", "a")

	must(os.WriteFile(at("target"), []byte("longer than what comes"), 0o600))
	for _, link := range []struct{ name, to string }{{"link", "target"}, {"dangling", "appears"}} {
		must(os.Symlink(at(link.to), at(link.name)))
		must(writeFile(at(link.name), text("b")))
		is(link.to, "b")
		if info, err := os.Lstat(at(link.name)); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no link any more (%v)", link.name, err)
		}
	}

	must(syscall.Mkfifo(at("pipe"), 0o600))
	read := make(chan string)
	go func() {
		got, err := os.ReadFile(at("pipe"))
		if err != nil {
			got = []byte(err.Error())
		}
		read <- string(got)
	}()
	must(writeFile(at("pipe"), text("c")))
	if got := <-read; got != "c" {
		t.Errorf("the reader of the pipe got %q", got)
	}
	must(writeFile(os.DevNull, text("d")))
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s was replaced (%v)", os.DevNull, err)
	}

	entries, err := os.ReadDir(dir)
	must(err)
	if len(entries) != 6 {
		t.Errorf("left behind: %v", entries)
	}
}
