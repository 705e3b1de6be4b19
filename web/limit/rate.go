package limit

import (
	"net/http"
	"time"

	"github.com/go-chi/httprate"
)

// rateWindow is what rates are averaged over, so that a page with all of its parts, or
// a program that catches up, may come at once.
const rateWindow = 10 * time.Second

// newRate bounds the requests of each client. Its answer says nothing of what is left:
// that would be one more thing to keep to.
func newRate(perSecond int) *httprate.RateLimiter {
	return httprate.NewRateLimiter(perSecond*int(rateWindow/time.Second), rateWindow,
		httprate.WithResponseHeaders(httprate.ResponseHeaders{}),
		httprate.WithLimitHandler(func(w http.ResponseWriter, r *http.Request) {
			Refuse(w, r, http.StatusTooManyRequests, rateWindow, "too many requests of one client")
		}))
}

// TooMany reports whether a client has asked more often than it may, and then has
// answered: 429. Whoever calls it says who the client is. What is refused does not count.
func (g *Guard) TooMany(w http.ResponseWriter, r *http.Request, client string) bool {
	return g.rate.RespondOnLimit(w, r, client)
}
