package limit

import (
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// newSeconds is the histogram of how long answers take. Its labels are bounded: five kinds, six classes.
func newSeconds() *prometheus.HistogramVec {
	h := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "http_request_seconds",
		Help:    "How long answers took, sending included, by kind of address and class of status.",
		Buckets: []float64{0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60}}, []string{"kind", "code"})
	for _, kind := range kinds { // a rate needs the zero before the first failure
		h.WithLabelValues(kind, "2xx")
		h.WithLabelValues(kind, "5xx")
	}
	return h
}

// kinds of addresses.
var kinds = []string{"page", "api", "intake", "static", "health"}

// took records how long an answer took.
func (g *Guard) took(status int, r *http.Request, d time.Duration) {
	g.seconds.WithLabelValues(g.kindOf(r), classOf(status)).Observe(d.Seconds())
}

// kindOf is the kind of a request's address.
func (g *Guard) kindOf(r *http.Request) string {
	path := r.URL.Path
	switch {
	case path == "/livez" || path == "/readyz" || path == "/metrics":
		return "health"
	case strings.HasPrefix(path, "/static/"):
		return "static"
	case g.own[path]: // telemetry and imports
		return "intake"
	case strings.HasPrefix(path, "/api/") || strings.HasPrefix(path, "/odata/"):
		return "api"
	}
	return "page"
}

// classOf is the class of a status, such as 2xx; aborted if nothing was answered.
func classOf(status int) string {
	if status == 0 {
		return "aborted"
	}
	return string(rune('0'+status/100)) + "xx"
}
