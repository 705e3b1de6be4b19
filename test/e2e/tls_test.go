package e2e

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// selfSigned is a certificate with its key, PEM.
func selfSigned(t *testing.T, serial int64) (cert, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "localhost"},
		DNSNames:    []string{"localhost"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore:   time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})
}

// place replaces a file, like a certificate rotation.
func place(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path+".new", content, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

// TestARotatedCertificateIsTakenUp serves by TLS. A changed certificate is used without a restart; one without its key,
// or none at all, leaves the old one in use, and the log reports it once. A client without TLS gets no page.
func TestARotatedCertificateIsTakenUp(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "tls.crt"), filepath.Join(dir, "tls.key")
	cert, key := selfSigned(t, 0xa1)
	place(t, certFile, cert)
	place(t, keyFile, key)
	d := openDoor(t, freshDatabase(t), "serve", "--tls-cert="+certFile, "--tls-key="+keyFile)
	at, ok := strings.CutPrefix(d.url, "https://")
	if !ok || !strings.Contains(d.out.String(), " at https://"+at+"/welcome?code=") {
		t.Fatalf("it prints other addresses: %s", d.out)
	}
	shown := func() string { // the serial number of a handshake
		conn, err := tls.Dial("tcp", at, &tls.Config{InsecureSkipVerify: true})
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		return conn.ConnectionState().PeerCertificates[0].SerialNumber.Text(16)
	}
	if got := shown(); got != "a1" {
		t.Errorf("certificate %s", got)
	}
	if conn, err := tls.Dial("tcp", at, &tls.Config{
		InsecureSkipVerify: true, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11,
	}); err == nil {
		_ = conn.Close()
		t.Error("TLS 1.1 is spoken")
	}
	resp, err := http.Get("http://" + at + "/login")
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusBadRequest || resp.Header.Get("Content-Type") != "" {
		t.Errorf("without TLS: %d %v", resp.StatusCode, resp.Header)
	}
	d.signsInByTLS(t, cert)

	// Half of a new pair, then no file: the certificate stays, and the log has the reason, once each.
	const stays = "the previous one stays in use"
	next, nextKey := selfSigned(t, 0xb2)
	place(t, certFile, next)
	for said, spoil := range []func(){
		func() {}, func() { place(t, certFile, []byte("nothing")) }, func() { os.Remove(certFile) },
	} {
		spoil()
		until(t, "a line of the log", func() bool {
			if got := shown(); got != "a1" {
				t.Fatalf("certificate %s beside another's key", got)
			}
			return strings.Count(d.log.String(), stays) > said
		})
	}
	place(t, certFile, next)
	place(t, keyFile, nextKey)
	until(t, "the new certificate", func() bool { return shown() == "b2" })
	// The server may have read the two files of the new pair at different moments.
	if n := strings.Count(d.log.String(), stays); n > 4 {
		t.Errorf("the log says %d times that the certificate stays", n)
	}
	for _, flag := range []string{
		"--tls-cert=" + certFile, "--tls-key=" + keyFile, "--tls-cert=" + keyFile + " --tls-key=" + keyFile,
	} {
		args := append([]string{"--database-url=postgres://127.0.0.1:1/x", "serve", "--addr=127.0.0.1:0"},
			strings.Fields(flag)...)
		if code, _, errs := gpuledger(t, args...); code != exitFailed || !strings.Contains(errs, "--tls-") {
			t.Errorf("%s: status %d: %s", flag, code, errs)
		}
	}
}

// signsInByTLS: pages come by HTTP/2 and require TLS for ever, and the session's cookie is only for TLS and this host.
func (d *door) signsInByTLS(t *testing.T, trusted []byte) {
	t.Helper()
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(trusted)
	b := d.browser(t, "127.0.0.1")
	transport := b.Transport.(*http.Transport)
	transport.TLSClientConfig, transport.ForceAttemptHTTP2 = &tls.Config{RootCAs: pool}, true
	b.welcomed(t, d.out.String(), adminsPassword)
	status, head, _ := b.send(t, "/account", nil)
	if status != http.StatusOK || head.Get("Strict-Transport-Security") == "" {
		t.Errorf("signed in: %d, %v", status, head)
	}
	here, err := url.Parse(d.url)
	if err != nil {
		t.Fatal(err)
	}
	cookies := b.Jar.Cookies(here)
	if len(cookies) != 1 || cookies[0].Name != "__Host-gpuledger" {
		t.Errorf("cookies %v", cookies)
	}
	resp, err := b.Get(d.url + "/livez")
	if err != nil {
		t.Fatal(err)
	}
	if _ = resp.Body.Close(); resp.ProtoMajor != 2 {
		t.Errorf("%s is spoken", resp.Proto)
	}
}
