package agent

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// sender posts batches to a server by remote_write 1.0.
type sender struct {
	o   Options
	url string
}

// writePath is the path at which a gpuledger server accepts remote_write.
const writePath = "/api/v1/write"

func newSender(o Options) (*sender, error) {
	u, err := url.Parse(o.Server)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("server %q: give the server's address, for example https://gpuledger.example:8080", o.Server)
	}
	if !strings.HasSuffix(u.Path, writePath) {
		u.Path = strings.TrimRight(u.Path, "/") + writePath
	}
	return &sender{o: o, url: u.String()}, nil
}

// send posts one batch. again is true if it should be tried again, not before after; an error without again means that
// the server will never accept it.
func (s *sender) send(ctx context.Context, body []byte) (again bool, after time.Duration, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, bytes.NewReader(body))
	if err != nil {
		return false, 0, err
	}
	req.Header.Set("Content-Type", "application/x-protobuf")
	req.Header.Set("Content-Encoding", "snappy")
	req.Header.Set("X-Prometheus-Remote-Write-Version", "0.1.0")
	req.Header.Set("User-Agent", "gpuledger-agent")
	if s.o.Token != "" {
		req.Header.Set("Authorization", "Bearer "+s.o.Token)
	}
	res, err := s.o.Client.Do(req)
	if err != nil {
		return true, 0, err
	}
	text, readErr := io.ReadAll(io.LimitReader(res.Body, 4<<10))
	if closeErr := res.Body.Close(); readErr == nil {
		readErr = closeErr
	}
	switch {
	case res.StatusCode/100 == 2:
		return false, 0, nil
	case res.StatusCode/100 == 5, res.StatusCode == http.StatusTooManyRequests,
		// Wrong credentials and wrong addresses are temporary: an admin can correct them.
		res.StatusCode == http.StatusUnauthorized, res.StatusCode == http.StatusForbidden,
		res.StatusCode == http.StatusNotFound, res.StatusCode == http.StatusMethodNotAllowed:
		return true, retryAfter(res.Header.Get("Retry-After"), s.o.Clock.Now()), answer(res.Status, text, readErr)
	}
	return false, 0, answer(res.Status, text, readErr)
}

func answer(status string, text []byte, err error) error {
	return errors.Join(fmt.Errorf("the server answered %s: %s", status,
		strings.TrimSpace(strings.ToValidUTF8(string(text), ""))), err)
}

// retryAfter reads seconds or a date, at most an hour.
func retryAfter(text string, now time.Time) time.Duration {
	var d time.Duration
	if n, err := strconv.ParseInt(text, 10, 32); err == nil {
		d = time.Duration(n) * time.Second
	} else if t, err := http.ParseTime(text); err == nil {
		d = t.Sub(now)
	}
	return min(max(d, 0), time.Hour)
}
