package api

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"gpuledger/metrics"
)

func TestAnswersAreCompressedForClientsThatReadIt(t *testing.T) {
	s := serve(t, &fakeReader{version: metrics.Version{Tag: "1"}})
	plain := get(t, s, http.MethodGet, "/api/v1/imports?format=csv", "Accept-Encoding", "identity")
	for encoding, unpack := range map[string]func(io.Reader) (io.Reader, error){
		"gzip": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"zstd": func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) },
	} {
		a := get(t, s, http.MethodGet, "/api/v1/imports?format=csv", "Accept-Encoding", encoding)
		if got := a.Header.Get("Content-Encoding"); got != encoding {
			t.Errorf("encoding %q, want %s", got, encoding)
			continue
		}
		r, err := unpack(bytes.NewReader([]byte(a.body)))
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(r); err != nil || string(text) != plain.body {
			t.Errorf("%s: %d bytes, %v, want %d", encoding, len(text), err, len(plain.body))
		}
		vary := a.Header.Values("Vary")
		if !slices.Contains(vary, "Accept-Encoding") || !slices.Contains(vary, "Accept") {
			t.Errorf("%s: Vary %q", encoding, vary)
		}
		if tag := a.Header.Get("ETag"); tag == "" || tag != plain.Header.Get("ETag") || !strings.HasPrefix(tag, "W/") {
			t.Errorf("%s: tag %q, plain %q", encoding, tag, plain.Header.Get("ETag"))
		}
	}
	a := get(t, s, http.MethodGet, "/api/v1/imports?format=parquet", "Accept-Encoding", "zstd, gzip")
	if a.Header.Get("Content-Encoding") != "" || strings.HasPrefix(a.Header.Get("ETag"), "W/") {
		t.Errorf("parquet is compressed as it is: %q, tag %s", a.Header.Get("Content-Encoding"), a.Header.Get("ETag"))
	}
}

func TestAWrongMethodIsNoWrongAddress(t *testing.T) {
	s := serve(t, &fakeReader{})
	for request, want := range map[string]int{
		"POST /api/v1/costs": 405, "DELETE /api/v1/explain/run/x": 405, "PUT /openapi.json": 405,
		"POST /api/v1/cost": 404, "GET /api/v2/costs": 404, "POST /api/v1/a/b": 404,
	} {
		method, path, _ := strings.Cut(request, " ")
		a := get(t, s, method, path)
		if a.StatusCode != want {
			t.Errorf("%s: %d, want %d", request, a.StatusCode, want)
		}
		if want == http.StatusMethodNotAllowed && strings.HasPrefix(path, "/api/") && a.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: Allow %q", request, a.Header.Get("Allow"))
		}
	}
}
