package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// tlsFlags name the server's certificate.
type tlsFlags struct {
	TLSCert string `name:"tls-cert" placeholder:"FILE" help:"Server certificate with its chain, PEM. With --tls-key, the server speaks https; both files are read again when they change."`
	TLSKey  string `name:"tls-key" placeholder:"FILE" help:"Private key of the certificate, PEM."`
}

// scheme is "https://" with a certificate, else "http://".
func (f tlsFlags) scheme() string {
	if f.TLSCert != "" {
		return "https://"
	}
	return "http://"
}

// config is the TLS configuration; nil without a certificate.
func (f tlsFlags) config(log *slog.Logger, now func() time.Time) (*tls.Config, error) {
	switch {
	case f.TLSCert == "" && f.TLSKey == "":
		return nil, nil
	case f.TLSCert == "" || f.TLSKey == "":
		return nil, errors.New("--tls-cert and --tls-key belong together: give both, or none")
	}
	c := &certificate{files: f, log: log, now: now, looked: now(), seen: f.stamp()}
	var err error
	if c.used, err = f.load(); err != nil {
		return nil, err
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.get}, nil
}

// load reads the files. A key that does not match the certificate is an error.
func (f tlsFlags) load() (*tls.Certificate, error) {
	pair, err := tls.LoadX509KeyPair(f.TLSCert, f.TLSKey)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert %s, --tls-key %s: %w", f.TLSCert, f.TLSKey, err)
	}
	return &pair, nil
}

// stamp changes when the files change.
func (f tlsFlags) stamp() (stamps [2]string) {
	for i, path := range []string{f.TLSCert, f.TLSKey} {
		info, err := os.Stat(path)
		if err != nil {
			stamps[i] = err.Error()
			continue
		}
		stamps[i] = fmt.Sprint(info.ModTime().UnixNano(), " ", info.Size())
	}
	return stamps
}

// certificate follows the two files as they change. It is safe for concurrent use.
type certificate struct {
	files tlsFlags
	log   *slog.Logger
	now   func() time.Time

	mu     sync.Mutex
	used   *tls.Certificate
	looked time.Time
	seen   [2]string // stamps of the files at the last load, even if that failed
}

// lookEvery is the least time between two looks at the files.
const lookEvery = time.Second

// get returns the certificate for a handshake. If changed files do not match,
// as between the writing of one and the other, the current one stays in use.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	if now.Sub(c.looked) < lookEvery {
		return c.used, nil
	}
	c.looked = now
	stamp := c.files.stamp()
	if stamp == c.seen {
		return c.used, nil
	}
	c.seen = stamp
	fresh, err := c.files.load()
	if err != nil {
		c.log.Error("the certificate has changed and cannot be used: the previous one stays in use", "error", err)
		return c.used, nil
	}
	c.used = fresh
	c.log.Info("the certificate has changed", "serial", fresh.Leaf.SerialNumber.Text(16), "good_until",
		fresh.Leaf.NotAfter.UTC())
	return c.used, nil
}
