package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"gpuledger/ingest/remotewrite"
	"gpuledger/ingest/series"
)

// stream is the data to send.
type stream struct {
	gpus, batch, shards int
	version             remotewrite.Version
	from                time.Time     // of the first scrape
	step                time.Duration // between scrapes
	raw                 [][]byte
}

// sent is the acknowledged data.
type sent struct {
	samples  int64
	requests int64
	retries  int64
	wall     time.Duration
	slowest  time.Duration
	// steps is how many scrapes of each shard were fully acknowledged; one more may be acknowledged in part.
	steps []int
	part  []int // series of that part
}

// shard sends the scrapes of some series, one request after another.
type shard struct {
	*stream
	from, to int // series
	client   *http.Client
	url      string
	encoder  *remotewrite.Encoder
	number   int
}

// send sends scrapes for the given time.
func (s *stream) send(ctx context.Context, url string, how time.Duration) (*sent, error) {
	out := &sent{steps: make([]int, s.shards), part: make([]int, s.shards)}
	client := &http.Client{
		Transport: &http.Transport{MaxIdleConnsPerHost: s.shards, MaxConnsPerHost: s.shards, DisableCompression: true},
	}
	defer client.CloseIdleConnections()
	var mu sync.Mutex
	var wg sync.WaitGroup
	errs := make([]error, s.shards)
	start := time.Now()
	end := start.Add(how)
	for i := range s.shards {
		// Whole GPUs, so that one shard has all series of a device.
		x := &shard{stream: s, client: client, url: url, encoder: remotewrite.NewEncoder(s.version), number: i,
			from: s.gpus * i / s.shards * len(metrics), to: s.gpus * (i + 1) / s.shards * len(metrics)}
		wg.Go(func() {
			var own sent
			own, errs[i] = x.run(ctx, end)
			mu.Lock()
			defer mu.Unlock()
			out.samples += own.samples
			out.requests += own.requests
			out.retries += own.retries
			out.slowest = max(out.slowest, own.slowest)
			out.steps[i], out.part[i] = own.steps[0], own.part[0]
		})
	}
	wg.Wait()
	out.wall = time.Since(start)
	return out, errors.Join(errs...)
}

func (x *shard) run(ctx context.Context, end time.Time) (own sent, err error) {
	own.steps, own.part = []int{0}, []int{0}
	for step := 0; ; step++ {
		for at := x.from; at < x.to; at += x.batch {
			if time.Now().After(end) {
				return own, nil
			}
			to := min(at+x.batch, x.to)
			body := x.body(step, at, to)
			start := time.Now()
			for {
				again, err := x.post(ctx, body)
				if err != nil {
					return own, err
				}
				if !again {
					break
				}
				own.retries++
				if time.Now().After(end) {
					return own, nil
				}
			}
			own.slowest = max(own.slowest, time.Since(start))
			own.samples += int64(to - at)
			own.requests++
			own.part[0] = to - x.from
		}
		own.steps[0], own.part[0] = step+1, 0
	}
}

// body is the request with the samples of one scrape of series [from, to).
func (x *shard) body(step, from, to int) []byte {
	x.encoder.Reset()
	ms := x.stream.from.Add(time.Duration(step) * x.step).UnixMilli()
	for i := from; i < to; i++ {
		gpu, m := i/len(metrics), i%len(metrics)
		s := remotewrite.Sample{Ms: ms, Value: metrics[m].value(gpu, step)}
		if x.version == remotewrite.V1 {
			x.encoder.Raw(x.raw[i], s)
			continue
		}
		x.encoder.Series(metrics[m].name, x.known(gpu), s)
	}
	return x.encoder.Body()
}

// known are the labels of a GPU; only for 2.0, which does not measure the sender.
func (x *shard) known(gpu int) series.Labels { return labels(gpu) }

// post sends a body. again: the server asks the client to retry.
func (x *shard) post(ctx context.Context, body []byte) (again bool, err error) {
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, x.url, bytes.NewReader(body))
	if err != nil {
		return false, err
	}
	q.Header.Set("Content-Type", x.version.ContentType())
	q.Header.Set("Content-Encoding", remotewrite.Encoding)
	q.Header.Set(remotewrite.HeaderVersion, x.version.Header())
	a, err := x.client.Do(q)
	if err != nil {
		return false, err
	}
	text, err := io.ReadAll(io.LimitReader(a.Body, 4096))
	if closed := a.Body.Close(); err == nil {
		err = closed
	}
	switch {
	case err != nil:
		return false, err
	case a.StatusCode/100 == 2:
		return false, nil
	case a.StatusCode/100 == 5 || a.StatusCode == http.StatusTooManyRequests:
		time.Sleep(20 * time.Millisecond)
		return true, nil
	}
	return false, fmt.Errorf("the server answers %s: %s", a.Status, text)
}
