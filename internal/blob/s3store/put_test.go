package s3store

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"testing"

	"gpuledger/internal/blob"
)

func TestWriting(t *testing.T) {
	s := start(t)
	f, err := blob.Stores{Scheme: s.store()}.Folder("s3://bills/out")
	if err != nil {
		t.Fatal(err)
	}
	big := noise(3 << 20)
	for _, text := range [][]byte{[]byte("old"), big} {
		if err := f.Put(t.Context(), "day=1/odd name+%20é.csv", bytes.NewReader(text), int64(len(text))); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := f.List(t.Context()); err != nil || len(list) != 1 || list[0].Size != int64(len(big)) {
		t.Errorf("%v %v", list, err)
	}
	if text, err := f.Read(t.Context(), "day=1/odd name+%20é.csv", 4<<20); err != nil || !bytes.Equal(text, big) {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	for range 2 {
		if err := f.Remove(t.Context(), "day=1/odd name+%20é.csv"); err != nil {
			t.Error(err)
		}
	}
	if list, err := f.List(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("%v %v", list, err)
	}
}

// A request that fails once is sent again with all of its content.
func TestWritingAgain(t *testing.T) {
	s := start(t)
	f, err := blob.Stores{Scheme: s.store()}.Folder("s3://bills/out")
	if err != nil {
		t.Fatal(err)
	}
	left := 1
	busy := func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPut || left == 0 {
			return false
		}
		left--
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	}
	s.deny.Store(&busy)
	if err := f.Put(t.Context(), "a", bytes.NewReader([]byte("whole")), 5); err != nil || left != 0 {
		t.Fatal(err, left)
	}
	if text, err := f.Read(t.Context(), "a", 9); err != nil || string(text) != "whole" {
		t.Errorf("%q %v", text, err)
	}
	refused := func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPut {
			w.WriteHeader(http.StatusForbidden)
		}
		return r.Method == http.MethodPut
	}
	s.deny.Store(&refused)
	err = f.Put(t.Context(), "a", bytes.NewReader([]byte("whole")), 5)
	if d := (*blob.DeniedError)(nil); !errors.As(err, &d) || d.Needs != "s3:PutObject on s3://bills/out/a" {
		t.Errorf("%v", err)
	}
}
