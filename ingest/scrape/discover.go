package scrape

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"gpuledger/ingest/series"
	"gpuledger/internal/outbound"
)

// listedGroup is one group in the response of an http_sd address.
type listedGroup struct {
	Targets []string          `json:"targets"`
	Labels  map[string]string `json:"labels"`
}

// static makes the targets in a job's own configuration.
func static(job *Job) ([]*target, error) {
	var list []*target
	for _, address := range job.Targets {
		t, err := newTarget(job, address, nil)
		if err != nil {
			return nil, fmt.Errorf("job %s: %w", job.Name, err)
		}
		list = append(list, t)
	}
	return list, nil
}

// discover queries the job's http_sd address. Labels that begin with two underscores belong to
// discovery: of them scheme, path and address count.
func discover(ctx context.Context, client *http.Client, job *Job) ([]*target, error) {
	u, err := url.Parse(job.HTTPSD)
	if err != nil {
		return nil, errors.New("http_sd is not a URL")
	}
	ctx, cancel := context.WithTimeout(ctx, job.Timeout)
	defer cancel()
	user := u.User
	u.User = nil
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, outbound.Plain(err)
	}
	request.Header.Set("Accept", "application/json")
	if user != nil {
		password, _ := user.Password()
		request.SetBasicAuth(user.Username(), password)
	}
	answer, err := client.Do(request)
	if err != nil {
		return nil, outbound.Plain(err)
	}
	defer func() { _ = answer.Body.Close() }() // the read errors suffice
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("it answers %s", answer.Status)
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxListing+1))
	if err != nil {
		return nil, err
	}
	if len(body) > maxListing {
		return nil, fmt.Errorf("its answer is larger than %d bytes", maxListing)
	}
	var groups []listedGroup
	if err := json.Unmarshal(body, &groups); err != nil {
		return nil, fmt.Errorf("its answer is not a list of targets: %w", err)
	}
	return fromListing(job, groups)
}

func fromListing(job *Job, groups []listedGroup) ([]*target, error) {
	var list []*target
	for _, g := range groups {
		var ls series.Labels
		for _, name := range slices.Sorted(maps.Keys(g.Labels)) {
			if !strings.HasPrefix(name, "__") && g.Labels[name] != "" {
				ls = append(ls, series.Label{Name: name, Value: g.Labels[name]})
			}
		}
		scheme, path := "http", "/metrics"
		if v := g.Labels["__scheme__"]; v != "" {
			scheme = v
		}
		if v := g.Labels["__metrics_path__"]; v != "" {
			path = v
		}
		for _, host := range g.Targets {
			t, err := newTarget(job, scheme+"://"+host+path, ls)
			if err != nil {
				return nil, fmt.Errorf("target %q: %w", host, err)
			}
			if list = append(list, t); len(list) > maxTargets {
				return nil, fmt.Errorf("more than %d targets", maxTargets)
			}
		}
	}
	return list, nil
}
