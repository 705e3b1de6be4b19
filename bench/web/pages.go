package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
)

// further are pages that the rail does not show as such: a comparison and other charts.
var further = []string{
	"/variance?against=previous", "/explore?dataset=costs&measure=effective_cost&by=team,cause&chart=treemap",
	"/explore?dataset=runs&by=team", "/?as=table",
}

// client asks one server.
type client struct {
	base string
	seen *statements
}

// answer is an answer with its times.
type answer struct {
	frame, all time.Duration // to the rail; to the end
	sent       int           // bytes, packed
	body       string
}

// get asks over a new connection, as a browser does that opens a page.
func (c *client) get(ctx context.Context, path string, alone bool) (a answer, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+path, nil)
	if err != nil {
		return a, err
	}
	r.Header.Set("Accept-Encoding", "gzip")
	if alone {
		r.Header.Set("HX-Request", "true")
	}
	began := time.Now()
	out, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return a, err
	}
	defer func() { err = errors.Join(err, out.Body.Close()) }()
	if out.StatusCode != http.StatusOK {
		return a, fmt.Errorf("%s answers %s", path, out.Status)
	}
	counted := &counter{from: out.Body}
	from := io.Reader(counted)
	if out.Header.Get("Content-Encoding") == "gzip" {
		if from, err = gzip.NewReader(counted); err != nil {
			return a, err
		}
	}
	var body bytes.Buffer
	for block := make([]byte, 4<<10); ; {
		n, err := from.Read(block)
		body.Write(block[:n])
		if a.frame == 0 && bytes.Contains(body.Bytes(), []byte(`<div class="page"`)) {
			a.frame = time.Since(began)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return a, err
		}
	}
	a.all, a.sent, a.body = time.Since(began), counted.n, body.String()
	if a.frame == 0 {
		a.frame = a.all
	}
	return a, nil
}

type counter struct {
	from io.Reader
	n    int
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n += n
	return n, err
}

var railLink = regexp.MustCompile(`<a[^>]* href="(/[^"]*)"`)

// pages opens every page several times, one after another, and prints their times.
func (c *client) pages(ctx context.Context, turns int) (list map[string]string, err error) {
	home, err := c.get(ctx, "/", false)
	if err != nil {
		return nil, err
	}
	_, rail, _ := strings.Cut(home.body, `aria-label="Pages"`)
	rail, _, _ = strings.Cut(rail, "</nav>")
	paths := slices.Clone(further)
	for _, m := range railLink.FindAllStringSubmatch(rail, -1) {
		paths = append(paths, html.UnescapeString(m[1]))
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	assets, err := c.assets(ctx, home.body)
	if err != nil {
		return nil, err
	}
	fmt.Printf("%d pages, %d times each; styles, scripts and fonts: %d KB\n", len(paths), turns, assets/1000)
	fmt.Printf("%-60s %8s %8s %8s %8s %6s %8s\n", "", "frame", "p95", "all, ms", "p95", "KB", "before")
	list = map[string]string{}
	var frames, all []time.Duration
	most := 0
	for _, path := range paths {
		var frame, whole []time.Duration
		for turn := range turns + 1 {
			began := time.Now()
			a, err := c.get(ctx, path, false)
			if err != nil {
				fmt.Printf("%-60s %v after %.0f ms\n", path, err, ms(time.Since(began)))
				all = append(all, time.Since(began))
				break
			}
			if list[path] = a.body; turn == 0 { // the server plans statements at first
				continue
			}
			frame, whole = append(frame, a.frame), append(whole, a.all)
			if turn == turns {
				before := assets + beforeCharts(a.body)
				most = max(most, before)
				fmt.Printf("%-60s %8.0f %8.0f %8.0f %8.0f %6d %8d\n", path, ms(percentile(frame, 50)), ms(percentile(frame, 95)),
					ms(percentile(whole, 50)), ms(percentile(whole, 95)), a.sent/1000, before/1000)
			}
		}
		frames, all = append(frames, frame...), append(all, whole...)
	}
	fmt.Printf("all pages: frame p50 %.0f, p95 %.0f ms; everything p50 %.0f, p95 %.0f ms; before charts at most %d KB\n",
		ms(percentile(frames, 50)), ms(percentile(frames, 95)), ms(percentile(all, 50)), ms(percentile(all, 95)), most/1000)
	return list, nil
}

var asset = regexp.MustCompile(`(?:src|href)="(/static/[^"]+)"`)

// assets are the bytes of the files that every page has: a browser keeps them.
func (c *client) assets(ctx context.Context, body string) (n int, err error) {
	for _, m := range asset.FindAllStringSubmatch(body, -1) {
		a, err := c.get(ctx, m[1], false)
		if err != nil {
			return 0, err
		}
		n += a.sent
	}
	return n, nil
}

// beforeCharts are the bytes of a page before its first chart, packed.
func beforeCharts(body string) int {
	if i := strings.Index(body, "data-panel="); i >= 0 {
		body = body[:i]
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := w.Write([]byte(body))
	if errors.Join(err, w.Close()) != nil { // never: it is written to memory
		return 0
	}
	return packed.Len()
}
