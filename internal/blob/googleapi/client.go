package googleapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"cloud.google.com/go/auth/credentials"
	"github.com/hashicorp/go-retryablehttp"

	"gpuledger/internal/blob/retry"
)

// Options tune a Client.
type Options struct {
	Service   string       // storage, bigquery: the first part of its host
	Path      string       // of its JSON API, such as /storage/v1/
	Scope     string       // of the tokens
	Endpoint  string       // base of another server's API; empty: Google's
	Anonymous bool         // no credentials
	Client    *http.Client // replaces the HTTP client and the credentials, for tests

	firstWait time.Duration
}

// Client calls one service. It is safe for concurrent use.
type Client struct {
	options Options

	mu   sync.Mutex
	http *retryablehttp.Client // nil until first use
	base string
}

// New returns a client; it looks for credentials on first use.
func New(o Options) *Client {
	o.firstWait = retry.FirstWait
	return &Client{options: o}
}

func (c *Client) connect(ctx context.Context) (*retryablehttp.Client, string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.http != nil {
		return c.http, c.base, nil
	}
	client, base, err := c.options.Client, c.options.Endpoint, error(nil)
	if client == nil {
		client = &http.Client{Transport: http.DefaultTransport}
		if !c.options.Anonymous {
			// Tokens are fetched even after the listing that made the client.
			if client.Transport, base, err = c.signed(context.WithoutCancel(ctx), base); err != nil {
				return nil, "", fmt.Errorf("no Google credentials: set GOOGLE_APPLICATION_CREDENTIALS, run `gcloud auth "+
					"application-default login`, or give this machine a service account: %w", err)
			}
		}
	}
	if base == "" {
		base = "https://" + c.options.Service + ".googleapis.com" + c.options.Path
	}
	c.http, c.base = retry.New(client, c.options.firstWait, worth), strings.TrimSuffix(base, "/")
	return c.http, c.base, nil
}

// signed is a transport with the machine's credentials, and the base of the API if those belong to another universe
// than googleapis.com.
func (c *Client) signed(ctx context.Context, base string) (http.RoundTripper, string, error) {
	found, err := credentials.DetectDefault(&credentials.DetectOptions{Scopes: []string{c.options.Scope}})
	if err != nil {
		return nil, "", err
	}
	quota, err := found.QuotaProjectID(ctx)
	if err != nil {
		return nil, "", err
	}
	if base == "" {
		universe, err := found.UniverseDomain(ctx)
		if err != nil {
			return nil, "", err
		}
		base = "https://" + c.options.Service + "." + universe + c.options.Path
	}
	u, err := url.Parse(base)
	if err != nil {
		return nil, "", fmt.Errorf("endpoint: %w", err)
	}
	return &bearer{tokens: found, quota: quota, host: u.Host, next: http.DefaultTransport}, base, nil
}

// JSON sends a value, or nothing if in is nil, and reads the answer.
func (c *Client) JSON(ctx context.Context, method, path string, query url.Values, in, out any) error {
	var body any
	header := http.Header{}
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = text
		header.Set("Content-Type", "application/json")
	}
	answer, err := c.send(ctx, method, path, query, header, body)
	if err != nil {
		return err
	}
	err = json.NewDecoder(answer.Body).Decode(out)
	if err != nil {
		err = fmt.Errorf("%s: the answer is not JSON: %w", c.options.Service, err)
	}
	return errors.Join(err, answer.Body.Close())
}

// Open reads a response that is not JSON; the caller closes it. A range of bytes is [from, to).
func (c *Client) Open(ctx context.Context, path string, query url.Values, from, to int64) (io.ReadCloser, error) {
	// as stored, packed or not
	header := http.Header{"Range": {fmt.Sprintf("bytes=%d-%d", from, to-1)}, "Accept-Encoding": {"gzip"}}
	answer, err := c.send(ctx, http.MethodGet, path, query, header, nil)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusPartialContent && from != 0 {
		return nil, errors.Join(errors.New("the server no longer serves ranges"), answer.Body.Close())
	}
	return answer.Body, nil
}

// send returns an answer that is not an error.
func (c *Client) send(
	ctx context.Context, method, path string, query url.Values, header http.Header, body any,
) (*http.Response, error) {
	return c.sendTo(ctx, nil, method, path, query, header, body)
}

// sendTo is send to another address of the service than that of its API, if elsewhere makes one from that and its path.
func (c *Client) sendTo(
	ctx context.Context, elsewhere func(base, path string) string, method, path string, query url.Values,
	header http.Header, body any,
) (*http.Response, error) {
	client, base, err := c.connect(ctx)
	if err != nil {
		return nil, err
	}
	if elsewhere != nil {
		base = elsewhere(base, c.options.Path)
	}
	address := base + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	request, err := retryablehttp.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return nil, err
	}
	request.Header = header
	request.Header.Set("User-Agent", "gpuledger")
	answer, err := client.Do(request)
	switch {
	case answer == nil:
		return nil, err
	case answer.StatusCode >= http.StatusOK && answer.StatusCode < http.StatusMultipleChoices:
		return answer, nil
	}
	return nil, errors.Join(refusal(answer), answer.Body.Close())
}
