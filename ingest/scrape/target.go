package scrape

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"gpuledger/ingest/openmetrics"
	"gpuledger/ingest/series"
	"gpuledger/internal/ledger"
	"gpuledger/internal/outbound"
	"gpuledger/internal/period"
)

// target is one scraped address.
type target struct {
	job    *Job
	url    *url.URL
	user   *url.Userinfo
	labels series.Labels
	shown  string
}

// newTarget checks an address. Labels of a listing take precedence over the job's.
func newTarget(job *Job, address string, listed series.Labels) (*target, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("a target is http(s)://host:port/path") // the parser's message would show credentials
	}
	t := &target{job: job, url: u, user: u.User}
	u.User = nil
	if u.Path == "" {
		u.Path = "/metrics"
	}
	t.shown = outbound.Show(u)
	t.labels = slices.Clone(listed)
	for _, l := range append(slices.Clone(job.Labels), series.Label{Name: "job", Value: job.Name},
		series.Label{Name: "instance", Value: u.Host}) {
		if !t.labels.Has(l.Name) && l.Value != "" {
			t.labels = append(t.labels, l)
		}
	}
	return t, nil
}

// key distinguishes targets.
func (t *target) key() string {
	var b strings.Builder
	b.WriteString(t.url.String())
	for _, l := range t.labels {
		b.WriteString("\x00" + l.Name + "\x00" + l.Value)
	}
	return b.String()
}

// failure is why a scrape failed; Reason is one of a few.
type failure struct {
	Reason string
	Err    error
}

// Error is reason and cause.
func (f *failure) Error() string { return f.Reason + ": " + f.Err.Error() }

// Unwrap returns the cause.
func (f *failure) Unwrap() error { return f.Err }

// accept prefers text, and takes OpenMetrics if the exporter has nothing else.
const accept = "text/plain;version=0.0.4;q=1,application/openmetrics-text;version=1.0.0;q=0.5,*/*;q=0.1"

// scrape scrapes the target once and passes on its facts, all or none.
func (t *target) scrape(ctx context.Context, client *http.Client, o *Options, at time.Time) (openmetrics.Stats, error) {
	ctx, cancel := context.WithTimeout(ctx, t.job.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, t.url.String(), nil)
	if err != nil {
		return openmetrics.Stats{}, &failure{"bad address", outbound.Plain(err)}
	}
	request.Header.Set("User-Agent", "gpuledger")
	request.Header.Set("Accept", accept)
	switch {
	case t.job.BearerToken != "":
		request.Header.Set("Authorization", "Bearer "+t.job.BearerToken)
	case t.user != nil:
		password, _ := t.user.Password()
		request.SetBasicAuth(t.user.Username(), password)
	}
	answer, err := client.Do(request)
	if err != nil {
		return openmetrics.Stats{}, transport(ctx, err)
	}
	defer func() { _ = answer.Body.Close() }() // the read errors suffice
	if answer.StatusCode != http.StatusOK {
		return openmetrics.Stats{}, &failure{"bad status", errors.New(answer.Status)}
	}
	var read []*ledger.Telemetry
	body := &bounded{r: answer.Body, left: o.MaxBody}
	stats, err := openmetrics.Parse(ctx, body, t.shown, openmetrics.Options{
		DefaultMillis: at.UnixMilli(), Target: t.labels, HonorLabels: t.job.HonorLabels, DefaultCluster: o.Cluster,
		Node: o.Series.Node, GPUUtil: o.Series.GPUUtil, GPUUtilRatio: o.Series.GPUUtilRatio, Inference: o.Series.Inference,
		NotAfter: period.FromTime(at.Add(futureSlack)), MaxPending: maxPending,
	}, func(f *ledger.Telemetry) error { read = append(read, f); return nil })
	switch {
	case errors.Is(err, errTooLarge):
		return stats, &failure{"too large", err}
	case errors.Is(err, openmetrics.ErrTruncated):
		return stats, &failure{"cut off", err}
	case err != nil:
		return stats, transport(ctx, err)
	}
	for _, f := range read {
		if err := o.To.Put(ctx, f); err != nil {
			return stats, &failure{"not taken", err}
		}
	}
	return stats, nil
}

// transport classifies an exchange that broke off.
func transport(ctx context.Context, err error) error {
	err = outbound.Plain(err)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &failure{"timeout", err}
	case errors.Is(err, outbound.ErrRefused):
		return &failure{"refused address", err}
	}
	return &failure{"unreachable", err}
}

var errTooLarge = errors.New("the answer is larger than the limit")

// bounded fails after this many bytes.
type bounded struct {
	r    io.Reader
	left int64
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		// Only another read shows whether the body is longer.
		if n, err := b.r.Read(p[:1]); n == 0 {
			return 0, err
		}
		return 0, fmt.Errorf("%w", errTooLarge)
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}
