package promquery

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"gpuledger/internal/outbound"
)

// client queries one server. It is not safe for concurrent use.
type client struct {
	http  *http.Client
	base  *url.URL
	user  *url.Userinfo
	token string
	org   string
	shown string // the address for messages
	max   int
	limit time.Duration
	wait  func(ctx context.Context, d time.Duration) error
	now   func() time.Time

	get  bool // the server accepts no POST
	buf  bytes.Buffer
	read int64 // bytes of all answers
	met  func(n int64)
}

// Tries of one query.
const (
	maxTries    = 5
	firstWait   = 500 * time.Millisecond
	longestWait = 2 * time.Minute
	slowTries   = 2 // a query that times out so often is too large
	shownError  = 300
)

// tooLargeError means that a query's answer is too large; why is the server's or our reason.
type tooLargeError struct{ why string }

func (e *tooLargeError) Error() string { return e.why }

// RefusedError means that the server will not answer, however often it is queried.
type RefusedError struct {
	Address string
	Status  int
	Why     string
}

// Error contains the address, never the credentials.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s refused the query (%d): %s", e.Address, e.Status, e.Why)
}

// PartialError means that the server's answers stay incomplete.
type PartialError struct{ Address, Why string }

// Error contains the server's reason.
func (e *PartialError) Error() string {
	return fmt.Sprintf("%s returned only a partial answer: %s", e.Address, e.Why)
}

func newClient(o Options) (*client, error) {
	base, user, err := address(o.URI)
	if err != nil {
		return nil, err
	}
	hc, err := outbound.New(o.TLS, 0)
	if err != nil {
		return nil, err
	}
	return &client{http: hc, base: base, user: user, token: o.BearerToken, org: o.OrgID, shown: outbound.Show(base),
		max: o.MaxAnswer, limit: o.Timeout, wait: o.Wait, now: o.Now, met: func(int64) {}}, nil
}

// ask repeats a query until it is answered. The answer is valid until the next one. Errors:
// *tooLargeError, *RefusedError, *PartialError, else the cause of failure.
func (c *client) ask(ctx context.Context, path string, form url.Values) (answer, error) {
	slow := 0
	for try := 1; ; try++ {
		a, again, err := c.once(ctx, path, form)
		if err == nil && a.partial == "" {
			return a, nil
		}
		if err == nil {
			err, again = &PartialError{c.shown, clip(a.partial)}, 0
		}
		if tl := (*tooLargeError)(nil); errors.As(err, &tl) {
			return answer{}, err
		}
		if refused := (*RefusedError)(nil); errors.As(err, &refused) || ctx.Err() != nil {
			return answer{}, err
		}
		if t := (*slowError)(nil); errors.As(err, &t) {
			if slow++; slow == slowTries {
				return answer{}, &tooLargeError{err.Error()}
			}
		}
		if try == maxTries {
			return answer{}, err
		}
		if err := c.wait(ctx, min(max(again, firstWait<<(try-1)), longestWait)); err != nil {
			return answer{}, err
		}
	}
}

// slowError means that a query took too long.
type slowError struct{ err error }

func (e *slowError) Error() string { return e.err.Error() }
func (e *slowError) Unwrap() error { return e.err }

// once sends a query once. again is how long the server asks to wait.
func (c *client) once(ctx context.Context, path string, form url.Values) (a answer, again time.Duration, err error) {
	limited, cancel := context.WithTimeout(ctx, c.limit)
	defer cancel()
	request, err := c.request(limited, path, form)
	if err != nil {
		return answer{}, 0, err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return answer{}, 0, c.transport(limited, ctx, err)
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	if c.now != nil {
		again = outbound.RetryAfter(response.Header, c.now())
	} else {
		again = outbound.RetryAfter(response.Header, time.Time{})
	}
	c.buf.Reset()
	n, err := io.Copy(&c.buf, io.LimitReader(&metered{response.Body, c}, int64(c.max)+1))
	if err != nil {
		return answer{}, again, c.transport(limited, ctx, err)
	}
	if n > int64(c.max) {
		return answer{}, 0, &tooLargeError{fmt.Sprintf("the answer is larger than %d bytes", c.max)}
	}
	a, err = c.judge(response, c.buf.Bytes())
	return a, again, err
}

// metered counts the bytes read.
type metered struct {
	r io.Reader
	c *client
}

func (m *metered) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	m.c.read += int64(n)
	m.c.met(int64(n))
	return n, err
}

func (c *client) request(ctx context.Context, path string, form url.Values) (*http.Request, error) {
	u := *c.base
	u.Path = strings.TrimRight(u.Path, "/") + path
	var request *http.Request
	var err error
	if c.get || strings.HasPrefix(path, "/api/v1/label/") { // such paths have no POST
		q := u.Query()
		maps.Copy(q, form)
		u.RawQuery = q.Encode()
		request, err = http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	} else {
		request, err = http.NewRequestWithContext(ctx, http.MethodPost, u.String(), strings.NewReader(form.Encode()))
		if err == nil {
			request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.shown, outbound.Plain(err))
	}
	request.Header.Set("User-Agent", "gpuledger")
	switch {
	case c.token != "":
		request.Header.Set("Authorization", "Bearer "+c.token)
	case c.user != nil:
		password, _ := c.user.Password()
		request.SetBasicAuth(c.user.Username(), password)
	}
	if c.org != "" {
		request.Header.Set("X-Scope-OrgID", c.org)
	}
	return request, nil
}

// transport classifies an exchange that broke off.
func (c *client) transport(limited, whole context.Context, err error) error {
	err = fmt.Errorf("%s: %w", c.shown, outbound.Plain(err))
	var ne net.Error
	switch {
	case whole.Err() != nil:
		return err
	case limited.Err() != nil, errors.As(err, &ne) && ne.Timeout():
		return &slowError{err}
	case errors.Is(err, outbound.ErrRefused), errors.Is(err,
		http.ErrSchemeMismatch), strings.Contains(err.Error(), "redirects"):
		return &RefusedError{Address: c.shown, Why: outbound.Plain(err).Error()}
	}
	return err
}

// judge distinguishes answers from refusals.
func (c *client) judge(response *http.Response, body []byte) (answer, error) {
	code := response.StatusCode
	a, err := readAnswer(body)
	if code/100 == 2 && err == nil && a.message == "" {
		return a, nil
	}
	why := a.message
	if err != nil {
		why = strings.TrimSpace(string(body[:min(len(body), shownError)]))
		if code/100 == 2 {
			why = err.Error()
		}
	}
	why = clip(why)
	failed := fmt.Errorf("%s answered %d: %s", c.shown, code, why)
	switch {
	case code == http.StatusRequestEntityTooLarge, code == http.StatusUnprocessableEntity, code/100 == 4 &&
		saysTooLarge(why) && code != http.StatusTooManyRequests,
		code/100 == 2 && saysTooLarge(why):
		return answer{}, &tooLargeError{failed.Error()}
	case code == http.StatusGatewayTimeout, a.errorType == "timeout":
		return answer{}, &slowError{failed}
	case code == http.StatusMethodNotAllowed && !c.get:
		c.get = true
		return answer{}, failed
	case code == http.StatusTooManyRequests, code/100 == 5, code == http.StatusRequestTimeout, code/100 == 2:
		if saysTooLarge(why) && code/100 == 5 && a.errorType != "" {
			return answer{}, &tooLargeError{failed.Error()}
		}
		return answer{}, failed
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		why += "; give the user and password in the URI, or bearer_token_env and org_id in the configuration"
	case code == http.StatusNotFound:
		why += "; the address is the part before /api/v1, with the server's prefix (/prometheus, /select/0/prometheus)"
	}
	return answer{}, &RefusedError{Address: c.shown, Status: code, Why: strings.TrimPrefix(why, "; ")}
}

// saysTooLarge recognises servers' texts for a query that is too large for them.
func saysTooLarge(why string) bool {
	why = strings.ToLower(why)
	for _, words := range []string{
		"exceed", "too many", "too large", "limit", "maximum", "max-", "maxsamples", "maxseries", "maxuniquetimeseries",
	} {
		if strings.Contains(why, words) {
			return true
		}
	}
	return false
}

func clip(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " ")
	if len(text) > shownError {
		text = strings.ToValidUTF8(text[:shownError], "") + "…"
	}
	return text
}

// seconds writes ms as unix seconds.
func seconds(ms int64) string {
	return strconv.FormatInt(ms/1000, 10) + "." + fmt.Sprintf("%03d", ms%1000)
}
