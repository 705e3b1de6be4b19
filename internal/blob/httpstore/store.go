package httpstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"gpuledger/internal/blob"
	"gpuledger/internal/blob/retry"
	"gpuledger/internal/period"
)

// Bounds of one request.
const (
	maxRedirects  = 5
	headerTimeout = time.Minute
)

// Store reads single files. It is safe for concurrent use.
type Store struct{ client *retryablehttp.Client }

var errRefused = errors.New("refused to connect")

// New returns a store with a separate client.
func New() *Store { return newStore(retry.FirstWait) }

func newStore(firstWait time.Duration) *Store {
	dialer := &net.Dialer{
		Timeout: 30 * time.Second, Control: func(_, address string, _ syscall.RawConn) error { return allowed(address) },
	}
	client := &http.Client{
		Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext, ForceAttemptHTTP2: true,
			DisableCompression: true, ResponseHeaderTimeout: headerTimeout,
			IdleConnTimeout: time.Minute, MaxIdleConnsPerHost: 4},
		CheckRedirect: sameHost,
	}
	return &Store{retry.New(client, firstWait, worth)}
}

// allowed refuses addresses at which no file can be. It sees the address after name resolution.
func allowed(address string) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("address %s: %w", address, err)
	}
	if ip := ap.Addr().Unmap(); ip.IsLinkLocalUnicast() || ip.IsMulticast() || ip.IsUnspecified() {
		return fmt.Errorf("%w to %s: link-local addresses are not allowed", errRefused, ip)
	}
	return nil
}

func sameHost(to *http.Request, via []*http.Request) error {
	from := via[0].URL
	switch {
	case len(via) > maxRedirects:
		return fmt.Errorf("more than %d redirects", maxRedirects)
	case to.URL.Host != from.Host || from.Scheme == "https" && to.URL.Scheme != "https":
		return fmt.Errorf("it redirects to %s://%s: name that address instead", to.URL.Scheme, to.URL.Host)
	}
	return nil
}

// List implements blob.Store: it reads the first byte of the file.
func (s *Store) List(ctx context.Context, uri string) ([]blob.Object, error) {
	u, err := url.Parse(uri)
	if err != nil || u.Host == "" {
		return nil, errors.New("not a URL") // the parser's error would show the query
	}
	c := &content{client: s.client, url: u, shown: blob.Redact(uri)}
	answer, err := c.get(ctx, "bytes=0-0")
	if err != nil {
		return nil, err
	}
	if err := answer.Body.Close(); err != nil {
		return nil, fmt.Errorf("%s: %w", c.shown, err)
	}
	c.etag, c.date = answer.Header.Get("ETag"), answer.Header.Get("Last-Modified")
	o := blob.Object{
		Name: path.Base(u.Path), Address: c.shown, Size: blob.UnknownSize, Version: strings.Trim(c.etag, `W/"`), Content: c,
	}
	if o.Name == "/" || o.Name == "." {
		o.Name = u.Hostname()
	}
	if o.Version == "" {
		o.Version = c.date
	}
	if at, err := http.ParseTime(c.date); err == nil {
		o.Modified = period.FromTime(at)
	}
	if answer.StatusCode == http.StatusPartialContent && (c.etag != "" || c.date != "") {
		if _, total, ok := strings.Cut(answer.Header.Get("Content-Range"), "/"); ok {
			if n, err := strconv.ParseInt(total, 10, 64); err == nil && n >= 0 {
				o.Size = n // it serves ranges of an identifiable version
			}
		}
	}
	return []blob.Object{o}, nil
}

// content reads one version of one file.
type content struct {
	client     *retryablehttp.Client
	url        *url.URL
	shown      string
	etag, date string
}

// Range implements blob.Ranger.
func (c *content) Range(ctx context.Context, from, to int64) (io.ReadCloser, error) {
	ranged := ""
	if to != blob.UnknownSize {
		ranged = fmt.Sprintf("bytes=%d-%d", from, to-1)
	}
	answer, err := c.get(ctx, ranged)
	if err != nil {
		return nil, err
	}
	switch {
	case answer.Header.Get("ETag") != c.etag || answer.Header.Get("Last-Modified") != c.date:
		err = blob.ErrChanged
	case ranged != "" && answer.StatusCode != http.StatusPartialContent:
		err = errors.New("the server no longer serves ranges")
	default:
		return answer.Body, nil
	}
	return nil, errors.Join(fmt.Errorf("%s: %w", c.shown, err), answer.Body.Close())
}

// get requests until the server answers; the caller closes the body.
func (c *content) get(ctx context.Context, ranged string) (*http.Response, error) {
	request, err := retryablehttp.NewRequestWithContext(ctx, http.MethodGet, c.url.String(), nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.shown, plain(err))
	}
	request.Header.Set("User-Agent", "gpuledger")
	if ranged != "" {
		request.Header.Set("Range", ranged)
	}
	answer, err := c.client.Do(request)
	if answer == nil || errors.As(err, new(*url.Error)) { // a refused redirect comes with its answer
		return nil, fmt.Errorf("%s: %w", c.shown, plain(err))
	}
	if err := c.judge(answer); err != nil {
		return nil, errors.Join(err, answer.Body.Close())
	}
	return answer, nil
}

// worth reports whether another try may help: not if we refuse to connect or to follow.
func worth(ctx context.Context, answer *http.Response, err error) (bool, error) {
	if err != nil {
		cause := plain(err)
		broken := errors.As(cause, new(net.Error)) || errors.Is(cause, io.EOF) || errors.Is(cause, io.ErrUnexpectedEOF)
		if !broken || errors.Is(cause, errRefused) {
			return false, err
		}
	}
	return retryablehttp.DefaultRetryPolicy(ctx, answer, err)
}

// judge turns an unsuccessful answer into an error.
func (c *content) judge(answer *http.Response) error {
	switch answer.StatusCode {
	case http.StatusOK, http.StatusPartialContent:
		return nil
	case http.StatusUnauthorized, http.StatusForbidden:
		return &blob.DeniedError{Address: c.shown, Needs: "a URI that may be read without logging in, such as a signed one",
			Advice: "check that its signature has not expired", Err: errors.New(answer.Status)}
	case http.StatusNotFound, http.StatusGone:
		if c.etag != "" || c.date != "" {
			return fmt.Errorf("%s: %w", c.shown, blob.ErrChanged)
		}
		return fmt.Errorf("%s: there is no such file (%s)", c.shown, answer.Status)
	case http.StatusRequestedRangeNotSatisfiable:
		return fmt.Errorf("%s: the file is empty or has changed (%s)", c.shown, answer.Status)
	}
	return fmt.Errorf("%s: the server answers %s", c.shown, answer.Status)
}

// plain drops the URL that the client repeats in its errors.
func plain(err error) error {
	if ue := (*url.Error)(nil); errors.As(err, &ue) {
		return ue.Err
	}
	return err
}
