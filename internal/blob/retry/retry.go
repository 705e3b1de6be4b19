package retry

import (
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// Bounds of one request.
const (
	FirstWait   = 300 * time.Millisecond // doubled each time
	longestWait = 30 * time.Second
	most        = 3 // tries after the first
)

// New makes a client retry when worth allows it. The last answer is returned as it is, together with its error.
func New(client *http.Client, first time.Duration, worth retryablehttp.CheckRetry) *retryablehttp.Client {
	r := retryablehttp.NewClient()
	r.HTTPClient, r.Logger, r.ErrorHandler = client, nil, retryablehttp.PassthroughErrorHandler
	r.RetryMax, r.RetryWaitMin, r.RetryWaitMax = most, first, longestWait
	r.CheckRetry, r.Backoff = worth, wait
	return r
}

func wait(least, longest time.Duration, try int, answer *http.Response) time.Duration {
	d := min(retryablehttp.DefaultBackoff(least, longest, try, answer), longest)
	return d + rand.N(d/4+1) //nolint:gosec // jitter
}
