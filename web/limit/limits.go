package limit

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/go-chi/httprate"
	"github.com/prometheus/client_golang/prometheus"

	"gpuledger/internal/seldom"
)

// Limits bound the resources that clients can use. A zero means the
// default, which is given after each semicolon.
type Limits struct {
	Questions   int           // pages and API answers made at once; 12
	Exports     int           // whole datasets sent at once; 4
	Connections int           // open at once; 1024
	Rate        int           // requests a second of one client, with access control; 50
	Wait        time.Duration // for a turn; for questions of a client with few in line four times as long; 800 ms
	Question    time.Duration // for an answer to be made; 60 s
	Stall       time.Duration // without any progress in reading an answer; 15 s
	Body        time.Duration // for a body to arrive; 20 s
	BodyBytes   int64         // size of a body, unless the route has its own limit; 1 MiB
}

// Scrapes is how many scrapes of the server's own metrics are answered at once.
const Scrapes = 2

// WithDefaults replaces zeros.
func (l Limits) WithDefaults() Limits {
	return Limits{
		Questions: or(l.Questions, 12), Exports: or(l.Exports, 4), Connections: or(l.Connections, 1024), Rate: or(l.Rate, 50),
		Wait: or(l.Wait, 800*time.Millisecond), Question: or(l.Question, time.Minute), Stall: or(l.Stall, 15*time.Second),
		Body: or(l.Body, 20*time.Second), BodyBytes: or(l.BodyBytes, 1<<20),
	}
}

func or[T int | int64 | time.Duration](v, standard T) T {
	if v == 0 {
		return standard
	}
	return v
}

// Options configure a guard.
type Options struct {
	Limits Limits
	// Alive returns an error if the database does not answer; nil: it is not checked.
	Alive func(context.Context) error
	// Log gets the refusals; nil: they are not logged.
	Log *slog.Logger
	// Metrics gets the counts of refusals; nil: they are not exported.
	Metrics prometheus.Registerer
	// Bodies are the paths whose handlers bound their bodies themselves.
	Bodies map[string]bool
	Now    func() time.Time // nil: the clock
}

// Guard enforces the limits of one server. It is safe for concurrent use.
type Guard struct {
	limits  Limits
	log     *slog.Logger
	now     func() time.Time
	words   *seldom.Words
	refused *prometheus.CounterVec
	seconds *prometheus.HistogramVec
	own     map[string]bool // Options.Bodies
	pulse   *pulse
	working sync.WaitGroup // handlers

	client                      func(*http.Request) string
	questions, exports, scrapes *turns
	rate                        *httprate.RateLimiter
}

// New returns a guard.
func New(o Options) *Guard {
	l := o.Limits.WithDefaults()
	g := &Guard{limits: l, log: o.Log, now: o.Now, words: seldom.New(time.Minute), own: o.Bodies,
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "requests_refused_total",
			Help: "Refused requests, by route and reason."}, []string{"route", "reason"}),
		seconds:   newSeconds(),
		questions: newTurns("questions", l.Questions, ofQuestions), exports: newTurns("exports", l.Exports, ofExports),
		scrapes: newTurns("scrapes", Scrapes, ofQuestions), rate: newRate(l.Rate)}
	g.ClientsBy(func(r *http.Request) string {
		host, _, _ := net.SplitHostPort(r.RemoteAddr)
		return host
	})
	if g.log == nil {
		g.log = slog.New(slog.DiscardHandler)
	}
	if g.now == nil {
		g.now = time.Now //nolint:forbidigo // the default clock
	}
	if o.Alive != nil {
		g.pulse = &pulse{ask: o.Alive, now: g.now}
	}
	if o.Metrics != nil {
		o.Metrics.MustRegister(g.refused, g.seconds)
		for _, t := range []*turns{g.questions, g.exports} {
			o.Metrics.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: t.name + "_in_flight",
				Help: "Number of " + t.name + " being answered."}, func() float64 { return float64(t.inFlight()) }))
		}
	}
	return g
}

// ClientsBy sets how a request's client is named; turns are shared between clients. The default is the
// peer's address.
func (g *Guard) ClientsBy(client func(*http.Request) string) { g.client = client }

// Limits returns the limits in force.
func (g *Guard) Limits() Limits { return g.limits }

// Wait waits for running handlers, but at most for most. Call it
// when no new request can arrive.
func (g *Guard) Wait(most time.Duration) {
	done := make(chan struct{})
	go func() {
		g.working.Wait()
		close(done)
	}()
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
}

// Questions bounds answers that are buffered: the turn ends
// before the client reads the answer, and the time to make it is bounded.
func (g *Guard) Questions(next http.Handler) http.Handler {
	return g.turn(g.questions, func(w http.ResponseWriter, r *http.Request, leave func()) {
		ctx, cancel := context.WithTimeout(r.Context(), g.limits.Question)
		defer cancel()
		held := &held{to: w}
		next.ServeHTTP(held, r.WithContext(ctx))
		leave()
		held.send()
	})
}

// Exports bounds answers that are streamed.
func (g *Guard) Exports(next http.Handler) http.Handler {
	return g.turn(g.exports, func(w http.ResponseWriter, r *http.Request, _ func()) { next.ServeHTTP(w, r) })
}

// OwnMetrics bounds scrapes of the server's own metrics. They are answered also while the
// database is away, because they report that.
func (g *Guard) OwnMetrics(next http.Handler) http.Handler {
	return g.admit(g.scrapes, func(_ context.Context, w http.ResponseWriter, r *http.Request, leave func()) {
		held := &held{to: w}
		next.ServeHTTP(held, r)
		leave()
		held.send()
	})
}
