package limit_test

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"gpuledger/web/limit"
)

// With TLS, a new connection also replaces an idle one.
func TestConnectionsAreBoundedByTLSToo(t *testing.T) {
	guard := limit.New(limit.Options{Limits: limit.Limits{Connections: 1}})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	pair := httptest.NewUnstartedServer(nil)
	pair.StartTLS()
	defer pair.Close()
	became := make(chan struct{}, 10)
	var answered atomic.Bool // an HTTP/2 connection is also idle before its first request
	server := &http.Server{TLSConfig: &tls.Config{Certificates: pair.TLS.Certificates}, ReadHeaderTimeout: 5 * time.Second,
		Handler: guard.Whole(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			answered.Store(true)
			_, _ = io.WriteString(w, r.Proto)
		})),
		ConnState: func(_ net.Conn, s http.ConnState) {
			if s == http.StateIdle && answered.Swap(false) {
				became <- struct{}{}
			}
		}}
	ended := make(chan error, 1)
	go func() { ended <- guard.Serve(server, listener) }()
	for _, proto := range []string{"HTTP/2.0", "HTTP/1.1", "HTTP/2.0"} {
		trusting := pair.Client().Transport.(*http.Transport).Clone()
		trusting.ForceAttemptHTTP2 = proto == "HTTP/2.0"
		if !trusting.ForceAttemptHTTP2 {
			trusting.TLSClientConfig.NextProtos = []string{"http/1.1"}
		}
		defer trusting.CloseIdleConnections() // the clients keep their connections open: only the server closes one
		resp, err := (&http.Client{Transport: trusting, Timeout: patience}).Get("https://" + listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil || string(body) != proto {
			t.Errorf("%q, %v: want %s", body, err, proto)
		}
		_ = resp.Body.Close()
		select {
		case <-became:
		case <-time.After(patience):
			t.Fatal("the connection does not become idle")
		}
	}
	if err := server.Close(); err != nil {
		t.Error(err)
	}
	<-ended
}
