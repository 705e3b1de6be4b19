package scrape

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Scraper scrapes the targets of all jobs.
type Scraper struct {
	o       Options
	clients []*http.Client // by job
	static  [][]*target
	m       *metrics
	slots   chan struct{}

	mu     sync.Mutex
	health map[string]*Health
}

// Health is the result of a target's last scrape.
type Health struct {
	Job, Address string // without credentials
	Up           bool
	LastScrape   time.Time // zero: not yet
	Took         time.Duration
	Samples      int64  // that became facts
	Error        string // why it is not up
}

// New checks the jobs; it sends no request yet.
func New(o Options) (*Scraper, error) {
	o = o.withDefaults()
	s := &Scraper{o: o, slots: make(chan struct{}, o.Parallel), health: map[string]*Health{}}
	for i := range o.Jobs {
		job := &o.Jobs[i]
		client, err := outboundClient(job)
		if err != nil {
			return nil, fmt.Errorf("scrape %s: %w", job.Name, err)
		}
		targets, err := static(job)
		if err != nil {
			return nil, fmt.Errorf("scrape: %w", err)
		}
		s.clients, s.static = append(s.clients, client), append(s.static, targets)
	}
	s.m = newMetrics(o.Metrics, s)
	return s, nil
}

// Run scrapes until ctx ends. A failed target is tried again at its next time.
func (s *Scraper) Run(ctx context.Context) error {
	var group sync.WaitGroup
	for i := range s.o.Jobs {
		group.Go(func() { s.runJob(ctx, i) })
	}
	group.Wait()
	return nil
}

// runJob runs a loop per currently listed target.
func (s *Scraper) runJob(ctx context.Context, i int) {
	job := &s.o.Jobs[i]
	var group sync.WaitGroup
	defer group.Wait()
	running := map[string]context.CancelFunc{}
	defer func() {
		for _, stop := range running {
			stop()
		}
	}()
	var found []*target
	for {
		if job.HTTPSD != "" {
			list, err := discover(ctx, s.clients[i], job)
			if err == nil {
				found = list
			} else if ctx.Err() == nil { // the known targets continue
				s.m.failed(job.Name, "discovery")
				s.o.Log.Warn("targets could not be listed", "scrape", job.Name, "error", err)
			}
		}
		wanted := map[string]bool{}
		for _, t := range append(slices.Clone(s.static[i]), found...) {
			key := t.key()
			if wanted[key] {
				continue
			}
			wanted[key] = true
			if running[key] == nil {
				one, stop := context.WithCancel(ctx)
				running[key] = stop
				group.Go(func() { s.loop(one, i, t) })
			}
		}
		for key, stop := range running {
			if !wanted[key] {
				stop()
				delete(running, key)
			}
		}
		var again <-chan time.Time // for a fixed list: never
		if job.HTTPSD != "" {
			again = s.o.After(listEvery)
		}
		select {
		case <-ctx.Done():
			return
		case <-again:
		}
	}
}

// offset spreads targets over the interval, the same at every start.
func offset(key string, interval time.Duration) time.Duration {
	h := fnv.New64a()
	_, _ = h.Write([]byte(key)) // never fails
	return time.Duration(h.Sum64() % uint64(interval))
}

// next is the time until the target's next scrape.
func next(now time.Time, offset, interval time.Duration) time.Duration {
	since := (time.Duration(now.UnixNano()) - offset) % interval
	return interval - since
}

// loop scrapes one target until ctx ends. A scrape that takes longer than the interval skips
// the missed times.
func (s *Scraper) loop(ctx context.Context, i int, t *target) {
	job := &s.o.Jobs[i]
	key := t.key()
	at := offset(key, job.Interval)
	s.record(key, func(h *Health) { h.Job, h.Address = job.Name, t.shown })
	defer s.forget(key)
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.o.After(next(s.o.Now(), at, job.Interval)):
		}
		select {
		case <-ctx.Done():
			return
		case s.slots <- struct{}{}:
		}
		s.once(ctx, i, t, key)
		<-s.slots
	}
}

// once scrapes a target and records its health.
func (s *Scraper) once(ctx context.Context, i int, t *target, key string) {
	start := s.o.Now()
	stats, err := t.scrape(ctx, s.clients[i], &s.o, start)
	if ctx.Err() != nil {
		return
	}
	took := s.o.Now().Sub(start)
	s.m.scraped(t.job.Name, took, &stats, err)
	was := false
	s.record(key, func(h *Health) {
		was = h.Up || h.LastScrape.IsZero()
		h.Job, h.Address = t.job.Name, t.shown
		h.LastScrape, h.Took, h.Up, h.Samples, h.Error = start, took, err == nil, stats.Accepted, ""
		if err != nil {
			h.Error = strings.ToValidUTF8(err.Error(), "?")
		}
	})
	if err == nil {
		return
	}
	reason := "other"
	if f := (*failure)(nil); errors.As(err, &f) {
		reason = f.Reason
	}
	s.m.failed(t.job.Name, reason)
	if was { // log once, not at every interval
		s.o.Log.Warn("a target does not answer", "scrape", t.job.Name, "target", t.shown, "error", err)
	}
}

func (s *Scraper) record(key string, change func(*Health)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.health[key]
	if h == nil {
		h = &Health{}
		s.health[key] = h
	}
	change(h)
}

func (s *Scraper) forget(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.health, key)
}

// Health lists all targets, by job and address.
func (s *Scraper) Health() []Health {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]Health, 0, len(s.health))
	for _, h := range s.health {
		list = append(list, *h)
	}
	slices.SortFunc(list, func(a, b Health) int { return strings.Compare(a.Job+"\x00"+a.Address, b.Job+"\x00"+b.Address) })
	return list
}
