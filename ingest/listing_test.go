package ingest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"gpuledger/internal/blob"
)

func TestListingsReportChangedFiles(t *testing.T) {
	root := write(t, map[string]string{"a.csv": "x", "b.csv": "y"})
	digest := func(req Request) string {
		t.Helper()
		l, err := List(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%x", l.Digest)
	}
	req := Request{Source: "auto", URIs: []string{root}}
	first := digest(req)
	if digest(req) != first {
		t.Error("the same listing has two digests")
	}
	seen := map[string]bool{first: true}
	differs := func(what string, req Request) {
		t.Helper()
		if d := digest(req); seen[d] {
			t.Errorf("%s makes no difference", what)
		} else {
			seen[d] = true
		}
	}
	other := req
	other.KeepEverything = true
	differs("keeping everything", other)
	other = req
	other.Source = "focus"
	differs("another source", other)
	other = req
	other.Prefer = []string{"x"}
	differs("another book", other)
	if err := os.WriteFile(filepath.Join(root, "b.csv"), []byte("yy"), 0o600); err != nil {
		t.Fatal(err)
	}
	differs("another content", req)
	if err := os.Rename(filepath.Join(root, "b.csv"), filepath.Join(root, "c.csv")); err != nil {
		t.Fatal(err)
	}
	differs("another name", req)
}

// tableStore is a store whose files are separate deliveries.
type tableStore map[string]string

func (s tableStore) List(context.Context, string) ([]blob.Object, error) {
	var out []blob.Object
	for name, version := range s {
		out = append(out, blob.Object{Name: name, Address: "bq://t/" + name, Size: blob.UnknownSize, Version: version})
	}
	return out, nil
}

func TestOnlyChangedDaysOfATableAreRead(t *testing.T) {
	days := tableStore{"1": "a", "2": "b"}
	list := func() *Listing {
		t.Helper()
		l, err := List(t.Context(), Request{Source: "auto", URIs: []string{"bq://t"}, Stores: blob.Stores{"bq": days}})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	before := list()
	days["2"], days["3"] = "bb", "c"
	now := list()
	var read []string
	for _, f := range now.Files {
		if now.Changed(before.Versions)(f) {
			read = append(read, f.Name)
		}
	}
	if fmt.Sprint(read) != "[2 3]" {
		t.Errorf("read %v", read)
	}
	if local := (blob.File{Path: "/x", Version: "v"}); !now.Changed(map[string]string{"/x": "v"})(local) {
		t.Error("parts of a bill are read together or not at all")
	}
}

func TestFinal(t *testing.T) {
	part := &RefusedError{Rejected: 1}
	whole := &RefusedError{Rejected: 1, Whole: true}
	cause := &RefusedError{Whole: true, Cause: blob.ErrChanged}
	for _, c := range []struct {
		err          error
		final, whole bool
	}{
		{nil, false, false}, {errors.New("network"), false, false},
		{part, true, false}, {whole, true, true}, {cause, false, true},
		{errors.Join(part, whole), true, true}, {errors.Join(whole, cause), false, true},
		{fmt.Errorf("x: %w", part), true, false},
	} {
		if f, w := Final(c.err); f != c.final || w != c.whole {
			t.Errorf("%v: %v %v", c.err, f, w)
		}
	}
}
