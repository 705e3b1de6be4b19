package gcsstore

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gpuledger/internal/blob"
)

// The protocol itself is tested against fake-gcs-server, in test/objectstores.

func TestErrorsSayWhatIsMissing(t *testing.T) {
	var refuse atomic.Int64
	var onlyLists atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		const object = `{"kind":"storage#object","name":"cur/a.csv","bucket":"bills","generation":"7","size":"5","updated":"2023-11-14T22:13:20Z"}`
		listing := strings.HasSuffix(r.URL.Path, "/o")
		if code := int(refuse.Load()); code != 0 && (listing || !onlyLists.Load()) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(code)
			fmt.Fprintf(w, `{"error":{"code":%d,"message":"no"}}`, code)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		switch {
		case listing:
			fmt.Fprint(w, `{"kind":"storage#objects","items":[`+object+`]}`)
		case strings.Contains(r.URL.Path, "/b/bills/o/") && r.URL.Query().Get("alt") != "media":
			fmt.Fprint(w, object)
		case r.URL.Query().Get("generation") != "7":
			w.WriteHeader(http.StatusNotFound)
		default:
			http.ServeContent(w, r, "a.csv", time.Unix(1_700_000_000, 0), strings.NewReader("hello"))
		}
	}))
	defer server.Close()
	stores := blob.Stores{Scheme: New(Options{Endpoint: server.URL + "/storage/v1/", Anonymous: true})}
	files, err := stores.List(t.Context(), "gs://bills/cur")
	if err != nil || len(files) != 1 || files[0].Name != "a.csv" || files[0].Version != "7" ||
		files[0].Modified != 1_700_000_000 {
		t.Fatal(files, err)
	}
	if head, err := files[0].Head(9); err != nil || string(head) != "hello" {
		t.Errorf("%q %v", head, err)
	}
	refuse.Store(http.StatusForbidden)
	_, err = stores.List(t.Context(), "gs://bills/cur/")
	if d := (*blob.DeniedError)(nil); !errors.As(err, &d) || d.Needs != "storage.objects.list on bucket bills" {
		t.Errorf("list: %v", err)
	}
	_, err = files[0].Head(9)
	if d := (*blob.DeniedError)(nil); !errors.As(err, &d) || !strings.Contains(d.Needs, "storage.objects.get") {
		t.Errorf("read: %v", err)
	}
	onlyLists.Store(true)
	if files, err := stores.List(t.Context(), "gs://bills/cur/a.csv"); err != nil || len(files) != 1 {
		t.Errorf("who may not list can name an object: %+v %v", files, err)
	}
	onlyLists.Store(false)
	refuse.Store(http.StatusNotFound)
	if _, err := files[0].Head(9); !errors.Is(err, blob.ErrChanged) {
		t.Errorf("gone: %v", err)
	}
	for uri, words := range map[string]string{"gs://bills/x": "no such bucket", "gs:///x": "no bucket"} {
		if _, err := stores.List(t.Context(), uri); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", uri, err)
		}
	}
}
