package httpstore

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gpuledger/internal/blob"
)

func open(t *testing.T, uri string) (blob.File, error) {
	t.Helper()
	s := newStore(time.Millisecond)
	files, err := blob.Stores{"http": s, "https": s}.List(t.Context(), uri)
	if err != nil {
		return blob.File{}, err
	}
	return files[0], nil
}

func readAll(f blob.File) ([]byte, error) {
	in, err := f.Open(blob.Limits{})
	if err != nil {
		return nil, err
	}
	all, err := io.ReadAll(in)
	return all, errors.Join(err, in.Close())
}

func TestReadsRangesOrAll(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789\n"), 300_000)
	date := time.Unix(1_700_000_000, 0)
	mux := http.NewServeMux()
	mux.HandleFunc("/ranges/bill.csv", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"v1"`)
		http.ServeContent(w, r, "", date, bytes.NewReader(data))
	})
	// a client may have gone
	mux.HandleFunc("/whole/bill.csv", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(data) })
	server := httptest.NewServer(mux)
	defer server.Close()
	for _, p := range []string{"/ranges/bill.csv?sig=secret", "/whole/bill.csv"} {
		f, err := open(t, server.URL+p)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(f.Path, "secret") || f.Name != "bill.csv" {
			t.Errorf("%+v", f)
		}
		if got, err := readAll(f); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: %d bytes, %v", p, len(got), err)
		}
		at, err := f.At()
		if err != nil {
			t.Fatal(err)
		}
		b := make([]byte, 11)
		if _, err := at.ReadAt(b, 11*250_000); err != nil || string(b) != "0123456789\n" {
			t.Errorf("%s: %q %v", p, b, err)
		}
		if err := at.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestAFileThatChangesIsRefused(t *testing.T) {
	var version atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if version.Load() == 2 {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("ETag", map[int64]string{0: `W/"a"`, 1: `W/"b"`}[version.Load()])
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader("hello"))
	}))
	defer server.Close()
	f, err := open(t, server.URL+"/x")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		version.Add(1)
		if _, err := readAll(f); !errors.Is(err, blob.ErrChanged) {
			t.Errorf("version %d: %v", version.Load(), err)
		}
	}
}

func TestRefusals(t *testing.T) {
	var busy atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/denied", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) })
	mux.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://other.invalid/x", http.StatusFound)
	})
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/busy", http.StatusFound)
	})
	mux.HandleFunc("/busy", func(w http.ResponseWriter, _ *http.Request) {
		if busy.Add(1) < 3 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	for uri, words := range map[string]string{
		server.URL + "/denied?sig=hush":          "access denied",
		server.URL + "/none?sig=hush":            "no such file",
		server.URL + "/away?sig=hush":            "redirects to http://other.invalid",
		"http://169.254.169.254/latest?sig=hush": "link-local",
		"http://[fe80::1]/x?sig=hush":            "link-local",
		"http://[::ffff:169.254.169.254]/x":      "link-local",
		"http://%zz?sig=hush":                    "not a URL",
	} {
		_, err := open(t, uri)
		if err == nil || !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), "hush") {
			t.Errorf("%s: %v", uri, err)
		}
	}
	if _, err := open(t, server.URL+"/moved"); err != nil || busy.Load() != 3 {
		t.Errorf("%v after %d tries", err, busy.Load())
	}
}
