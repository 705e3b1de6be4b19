package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

var panelName = regexp.MustCompile(`data-panel="([^"]+)"`)

// panel is a panel with its own address.
type panel struct {
	path       string
	statements []asked // those that draw it
}

// panels finds the panels of all pages, and the statements of each.
func (c *client) panels(ctx context.Context, pages map[string]string) (list []panel, err error) {
	for path, body := range pages {
		for _, m := range panelName.FindAllStringSubmatch(body, -1) {
			mark := map[bool]string{true: "&", false: "?"}[strings.Contains(path, "?")]
			list = append(list, panel{path: path + mark + "panel=" + url.QueryEscape(m[1])})
		}
	}
	if len(list) == 0 {
		return nil, errors.New("the pages have no panels: is the database filled?")
	}
	slices.SortFunc(list, func(a, b panel) int { return strings.Compare(a.path, b.path) })
	for i := range list {
		c.seen.forget()
		if _, err := c.get(ctx, list[i].path, true); err != nil {
			return nil, err // a page that answered has panels that answer, if only with an error in their place
		}
		list[i].statements = c.seen.list()
	}
	return list, nil
}

// load asks panels at a steady rate, alternating. A slow one does not delay the next; time counts from when a panel was
// due.
func (c *client) load(ctx context.Context, list []panel, o options) error {
	n := int(o.duration.Seconds() * float64(o.rate))
	took, failed := make([]time.Duration, n), make([]error, n)
	var group sync.WaitGroup
	began := time.Now()
	for i := range n {
		due := began.Add(time.Duration(i) * time.Second / time.Duration(o.rate))
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Until(due)):
		}
		group.Go(func() {
			_, failed[i] = c.get(ctx, list[i%len(list)].path, true)
			took[i] = time.Since(due)
		})
	}
	group.Wait()
	failed = slices.DeleteFunc(failed, func(err error) bool { return err == nil })
	fmt.Printf("%d panels, %d a second: p50 %.0f, p95 %.0f, p99 %.0f ms; %d not answered\n", n, o.rate,
		ms(percentile(took, 50)), ms(percentile(took, 95)), ms(percentile(took, 99)), len(failed))
	return errors.Join(failed[:min(len(failed), 1)]...)
}
