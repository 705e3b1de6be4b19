package googleapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"cloud.google.com/go/auth"
	"github.com/hashicorp/go-retryablehttp"
)

// Error is an unsuccessful answer of a service (https://cloud.google.com/apis/design/errors, HTTP mapping).
type Error struct {
	Code    int    // of HTTP
	Message string // in the service's words
	Reason  string // accessDenied, quotaExceeded, …; may be empty
}

// Error implements error.
func (e *Error) Error() string {
	if e.Message == "" {
		return fmt.Sprintf("the service answers %d %s", e.Code, http.StatusText(e.Code))
	}
	return fmt.Sprintf("the service answers %d: %s", e.Code, e.Message)
}

// Code is the HTTP status of an error, 0 for others.
func Code(err error) int {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e.Code
	}
	return 0
}

// largestRefusal is the most bytes read of an error's answer.
const largestRefusal = 64 << 10

// refusal reads an unsuccessful answer. Its body may not be JSON, for example if it comes from a proxy on the way.
func refusal(answer *http.Response) *Error {
	e := &Error{Code: answer.StatusCode}
	text, err := io.ReadAll(io.LimitReader(answer.Body, largestRefusal))
	if err != nil {
		return e // the code is enough
	}
	answer.Body = struct {
		io.Reader
		io.Closer
	}{bytes.NewReader(text), answer.Body} // for later readers
	var said struct {
		Error struct {
			Message string `json:"message"`
			Errors  []struct {
				Reason string `json:"reason"`
			} `json:"errors"`
		} `json:"error"`
	}
	if json.Unmarshal(text, &said) != nil {
		return e
	}
	e.Message = said.Error.Message
	if len(said.Error.Errors) > 0 {
		e.Reason = said.Error.Errors[0].Reason
	}
	return e
}

// worth reports whether a request is worth another try: the connection broke, the service is busy, or asks for slower
// requests. All requests may be repeated: they read, write or delete an object by its name, or name the job that they
// start.
func worth(ctx context.Context, answer *http.Response, err error) (bool, error) {
	if answer != nil && answer.StatusCode == http.StatusForbidden && refusal(answer).Reason == "rateLimitExceeded" {
		return true, nil
	}
	if refused := (*auth.Error)(nil); errors.As(err, &refused) && !refused.Temporary() {
		return false, err // no token: another try gets none either
	}
	return retryablehttp.DefaultRetryPolicy(ctx, answer, err)
}
