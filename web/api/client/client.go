package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// Client calls one server. It is safe for concurrent use.
type Client struct {
	// HTTP sends the requests; nil: http.DefaultClient.
	HTTP *http.Client

	server, token string
}

// New returns a client of the server at an address such as https://gpu.example.com. The token may be empty if the
// server has no access control.
func New(server, token string) *Client {
	return &Client{server: strings.TrimRight(server, "/"), token: token}
}

// P is a pointer to a value, for parameters.
func P[T any](v T) *T { return &v }

// Error implements error.
func (p *Problem) Error() string {
	text := fmt.Sprintf("%d %s: %s", p.Status, p.Title, p.Detail)
	if p.Parameter != nil {
		text += fmt.Sprintf(" (parameter %s)", *p.Parameter)
	}
	return text
}

// Waits means that a change is not done yet: a second person has to confirm it.
type Waits struct{ Waiting }

// Error implements error.
func (w *Waits) Error() string {
	return "the change waits for a second person: " + w.Change.ChangeId
}

// Later means that the server makes the answer in the background, as the parameter Prefer asks: see GetQuery.
type Later struct{ QueryStatus }

// Error implements error.
func (l *Later) Error() string { return "the answer is made later: query " + l.Id }

// request is a request of a generated method.
type request struct {
	method, path string
	params       any // a pointer to a struct; its fields are parameters of the query, and headers
	json         any
	contentType  string
	body         io.Reader
}

// Open answers a dataset in another format than JSON: csv, parquet, arrow, xlsx or table. params is the struct of
// parameters of the dataset. The caller closes the answer.
func (c *Client) Open(ctx context.Context, dataset, format string, params any) (io.ReadCloser, error) {
	q, err := c.build(ctx, request{method: http.MethodGet, path: "/api/v1/" + url.PathEscape(dataset), params: params})
	if err != nil {
		return nil, err
	}
	values := q.URL.Query()
	values.Set("format", format)
	q.URL.RawQuery = values.Encode()
	answer, err := c.send(q)
	if err != nil {
		return nil, err
	}
	return answer.Body, nil
}

// call sends a request and decodes the answer.
func (c *Client) call(ctx context.Context, r request, into any) (err error) {
	q, err := c.build(ctx, r)
	if err != nil {
		return err
	}
	answer, err := c.send(q)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, answer.Body.Close()) }()
	if answer.StatusCode == http.StatusAccepted && r.method == http.MethodGet {
		later := new(Later)
		if err := json.NewDecoder(answer.Body).Decode(&later.QueryStatus); err != nil {
			return fmt.Errorf("%s: %w", r.path, err)
		}
		return later
	}
	if answer.StatusCode == http.StatusAccepted {
		waits := new(Waits)
		if err := json.NewDecoder(answer.Body).Decode(&waits.Waiting); err != nil {
			return fmt.Errorf("%s: %w", r.path, err)
		}
		return waits
	}
	if into == nil {
		return nil
	}
	if err := json.NewDecoder(answer.Body).Decode(into); err != nil {
		return fmt.Errorf("%s: %w", r.path, err)
	}
	return nil
}

func (c *Client) build(ctx context.Context, r request) (*http.Request, error) {
	if r.json != nil {
		text, err := json.Marshal(r.json)
		if err != nil {
			return nil, err
		}
		r.contentType, r.body = "application/json", bytes.NewReader(text)
	}
	q, err := http.NewRequestWithContext(ctx, r.method, c.server+r.path, r.body)
	if err != nil {
		return nil, err
	}
	if r.contentType != "" {
		q.Header.Set("Content-Type", r.contentType)
	}
	if c.token != "" {
		q.Header.Set("Authorization", "Bearer "+c.token)
	}
	return q, place(q, r.params)
}

// place puts parameters into the query and the header.
func place(q *http.Request, params any) error {
	text, err := json.Marshal(params)
	if err != nil {
		return err
	}
	var values map[string]any
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&values); err != nil {
		return fmt.Errorf("parameters of %s: %w", q.URL.Path, err)
	}
	query := url.Values{}
	for name, value := range values {
		if name[0] >= 'A' && name[0] <= 'Z' { // parameters of the query are in lower case
			q.Header.Set(name, fmt.Sprint(value))
			continue
		}
		query.Set(name, fmt.Sprint(value))
	}
	q.URL.RawQuery = query.Encode()
	return nil
}

// send sends a request. An answer that is an error is a *Problem.
func (c *Client) send(q *http.Request) (*http.Response, error) {
	sender := c.HTTP
	if sender == nil {
		sender = http.DefaultClient
	}
	answer, err := sender.Do(q)
	if err != nil || answer.StatusCode < http.StatusBadRequest {
		return answer, err
	}
	defer answer.Body.Close() //nolint:errcheck // the problem is the error
	problem := &Problem{Status: int64(answer.StatusCode), Title: http.StatusText(answer.StatusCode)}
	if err := json.NewDecoder(answer.Body).Decode(problem); err != nil {
		problem.Detail = "the answer is not a problem of the API"
	}
	return nil, problem
}
