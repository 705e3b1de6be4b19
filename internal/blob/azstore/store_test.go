package azstore

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"gpuledger/internal/blob"
)

// The protocol itself is tested against azurite, in test/objectstores.

func TestServes(t *testing.T) {
	for uri, want := range map[string]bool{
		"https://acct.blob.core.windows.net/c/x?sig=s": true, "https://acct.blob.core.usgovcloudapi.net/c": true,
		"http://acct.blob.core.windows.net/c": false, "https://blob.core.windows.net.evil.example/c": false,
		"https://host/x": false, "https://%zz": false,
	} {
		if Serves(uri) != want {
			t.Errorf("%s: %v", uri, !want)
		}
	}
}

func TestPlaces(t *testing.T) {
	s := New(Options{})
	for uri, want := range map[string]place{
		"az://acct/c/p/q":   {account: "acct", container: "c", prefix: "p/q", endpoint: "https://acct.blob.core.windows.net"},
		"az://acct/c?sv=1":  {account: "acct", container: "c", endpoint: "https://acct.blob.core.windows.net", sas: "sv=1"},
		"az://acct/c/a%20b": {account: "acct", container: "c", prefix: "a b", endpoint: "https://acct.blob.core.windows.net"},
		"https://acct.blob.core.chinacloudapi.cn/c/x?sig=s": {
			account: "acct", container: "c", prefix: "x", endpoint: "https://acct.blob.core.chinacloudapi.cn", sas: "sig=s",
		},
	} {
		if got, err := s.parse(uri); err != nil || got != want {
			t.Errorf("%s: %+v %v", uri, got, err)
		}
	}
	for _, uri := range []string{"az://acct", "az:///c", "az://%zz?sig=hush"} {
		if _, err := s.parse(uri); err == nil || strings.Contains(err.Error(), "hush") {
			t.Errorf("%s: %v", uri, err)
		}
	}
}

// server answers like Blob Storage; a deny comes before it.
func server(t *testing.T) (*httptest.Server, *atomic.Pointer[string]) {
	t.Helper()
	var deny atomic.Pointer[string]
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		listing := r.URL.Query().Get("comp") == "list"
		if code := deny.Load(); code != nil {
			status := map[string]int{
				"ConditionNotMet": 412, "BlobArchived": 409, "ContainerNotFound": 404,
				"BlobNotFound": 404, "AuthorizationFailure": 403, "OnlyList": 403,
			}[*code]
			if *code != "OnlyList" || listing {
				w.Header().Set("X-Ms-Error-Code", *code)
				w.WriteHeader(status)
				return
			}
		}
		if listing {
			fmt.Fprint(w, `<?xml version="1.0" encoding="utf-8"?><EnumerationResults><Blobs>`+
				`<Blob><Name>exports</Name><Properties><Last-Modified>Tue, 14 Nov 2023 22:13:20 GMT</Last-Modified><Etag>0x0</Etag><Content-Length>0</Content-Length></Properties><Metadata><hdi_isfolder>true</hdi_isfolder></Metadata></Blob>`+
				`<Blob><Name>exports/a.csv</Name><Properties><Last-Modified>Tue, 14 Nov 2023 22:13:20 GMT</Last-Modified><Etag>0x1</Etag><Content-Length>5</Content-Length></Properties></Blob>`+
				`</Blobs><NextMarker/></EnumerationResults>`)
			return
		}
		w.Header().Set("ETag", "0x1")
		w.Header().Set("Content-Length", "5")
		_, _ = io.WriteString(w, "hello") // a client may have gone
	}))
	t.Cleanup(s.Close)
	return s, &deny
}

func TestErrorsSayWhatIsMissing(t *testing.T) {
	s, deny := server(t)
	t.Setenv("AZURE_STORAGE_SAS_TOKEN", "")
	t.Setenv("AZURE_STORAGE_CONNECTION_STRING", "")
	stores := blob.Stores{Scheme: New(Options{Endpoint: s.URL, Anonymous: true})}
	files, err := stores.List(t.Context(), "az://acct/bills/exports?sig=hush")
	if err != nil || len(files) != 1 || files[0].Name != "a.csv" || files[0].Path != "az://acct/bills/exports/a.csv" ||
		files[0].Modified != 1_700_000_000 {
		t.Fatal(files, err)
	}
	if head, err := files[0].Head(9); err != nil || string(head) != "hello" {
		t.Errorf("%q %v", head, err)
	}
	refuse := func(code string) { deny.Store(&code) }
	for code, words := range map[string]string{
		"ConditionNotMet": blob.ErrChanged.Error(), "BlobNotFound": blob.ErrChanged.Error(), "BlobArchived": "archived",
	} {
		refuse(code)
		if _, err := files[0].Head(9); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", code, err)
		}
	}
	refuse("AuthorizationFailure")
	_, err = stores.List(t.Context(), "az://acct/bills/exports/?sig=hush")
	if d := (*blob.DeniedError)(nil); !errors.As(err, &d) || !strings.Contains(err.Error(), "Storage Blob Data Reader") ||
		strings.Contains(err.Error(), "hush") {
		t.Errorf("%v", err)
	}
	refuse("ContainerNotFound")
	if _, err := stores.List(t.Context(), "az://acct/bills/exports"); err == nil ||
		!strings.Contains(err.Error(), "no such container") {
		t.Errorf("%v", err)
	}
	refuse("OnlyList")
	if files, err := stores.List(t.Context(), "az://acct/bills/exports/a.csv?sig=hush"); err != nil || len(files) != 1 ||
		files[0].Size != 5 {
		t.Errorf("a signature for one blob is enough to read it: %+v %v", files, err)
	}
}
