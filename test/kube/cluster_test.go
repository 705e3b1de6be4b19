package kube

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
)

// start runs an API server over a separate etcd and returns how to reach it as an administrator and as the service that
// may only read.
func start(t *testing.T) (admin, reader *rest.Config) {
	t.Helper()
	servers := os.Getenv("GPULEDGER_KUBE")
	if servers == "" {
		t.Skip("no kube-apiserver: run .ci/test-kube, which builds one")
	}
	dir := t.TempDir()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	keys := write("sa.key", pem.EncodeToMemory(&pem.Block{
		Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key),
	}))
	tokens := write("tokens.csv", []byte("admin-token,admin,1,system:masters\nreader-token,reader,2\n"))
	etcd := "http://127.0.0.1:" + port(t)
	run(t, filepath.Join(servers, "etcd"), filepath.Join(dir, "etcd"), etcd, "http://127.0.0.1:"+port(t))
	secure := port(t)
	run(t, filepath.Join(servers, "kube-apiserver"), "--etcd-servers="+etcd, "--secure-port="+secure,
		"--bind-address=127.0.0.1",
		"--cert-dir="+filepath.Join(dir, "certs"), "--token-auth-file="+tokens,
		"--authorization-mode=RBAC", "--disable-admission-plugins=ServiceAccount",
		"--service-account-issuer=https://gpuledger.test",
		"--service-account-key-file="+keys, "--service-account-signing-key-file="+keys,
		"--service-cluster-ip-range=10.0.0.0/24")
	config := func(token string) *rest.Config {
		return &rest.Config{
			Host: "https://127.0.0.1:" + secure, BearerToken: token,
			TLSClientConfig: rest.TLSClientConfig{Insecure: true}, QPS: 100, Burst: 200,
		}
	}
	admin = config("admin-token")
	client, err := discovery.NewDiscoveryClientForConfig(admin)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	for { // readiness is polled: there is no event to wait for
		body, err := client.RESTClient().Get().AbsPath("/readyz").DoRaw(ctx)
		if err == nil && string(body) == "ok" {
			return admin, config("reader-token")
		}
		select {
		case <-ctx.Done():
			t.Fatalf("the API server is not ready: %v: %s", err, body)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// run starts a server that ends with the test; its output is shown if the test fails.
func run(t *testing.T, program string, args ...string) {
	t.Helper()
	var out bytes.Buffer
	c := exec.Command(program, args...)
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Process.Kill(); err != nil {
			t.Log(err)
		}
		err := c.Wait()
		if t.Failed() {
			text := out.Bytes()
			t.Logf("%s: %v\n%s", filepath.Base(program), err, text[max(0, len(text)-4000):])
		}
	})
}

func port(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}()
	return fmt.Sprint(l.Addr().(*net.TCPAddr).Port)
}
