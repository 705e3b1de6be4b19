package limit

import (
	"net/http"
	"time"

	"github.com/go-chi/httprate"
)

// rateWindow is the time that rates are averaged over, so that a page with all its parts, or
// a program that catches up, may send many requests at once.
const rateWindow = 10 * time.Second

// newRate bounds the rate of requests of each client. Answers do not carry the remaining number of
// requests, so that this does not become part of the API.
func newRate(perSecond int) *httprate.RateLimiter {
	return httprate.NewRateLimiter(perSecond*int(rateWindow/time.Second), rateWindow,
		httprate.WithResponseHeaders(httprate.ResponseHeaders{}),
		httprate.WithLimitHandler(func(w http.ResponseWriter, r *http.Request) {
			Refuse(w, r, http.StatusTooManyRequests, rateWindow, "too many requests of one client")
		}))
}

// TooMany reports whether a client has exceeded its rate, and then has
// answered 429. The caller names the client. Refused requests do not count.
func (g *Guard) TooMany(w http.ResponseWriter, r *http.Request, client string) bool {
	return g.rate.RespondOnLimit(w, r, client)
}
