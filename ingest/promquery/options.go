package promquery

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"gpuledger/ingest/series"
	"gpuledger/internal/outbound"
)

// Options name the server, and the samples to read.
type Options struct {
	// URI is http(s)://[user:password@]host[/prefix][?parameters]; the parameters are added to
	// every query.
	URI         string
	BearerToken string
	OrgID       string // X-Scope-OrgID of Mimir, Cortex and similar servers
	TLS         outbound.TLS
	// Match are label matchers that all must hold: `cluster="train-1"`,
	// `{job=~"dcgm.*"}`.
	Match []string
	// Replicas are labels that distinguish two servers that scrape the same targets; nil: those
	// that operators and agents write.
	Replicas []string

	Cluster string // of every series; empty: the label cluster, else "default"
	// Series configures facts that samples lack; its Cluster is the one above.
	Series     series.Options
	NotAfter   int64 // ms; samples at or after it are refused; 0: 2100
	MaxPending int   // hours of one signal held before they are emitted; 0: 65,536

	// MaxAnswer bounds one answer in bytes, unpacked; 0: 64 MiB.
	MaxAnswer int
	// Timeout bounds one query; 0: 2 minutes.
	Timeout time.Duration
	// Wait pauses before a query is repeated; nil: it sleeps.
	Wait func(ctx context.Context, d time.Duration) error
	Now  func() time.Time // for Retry-After dates; nil: they are ignored
}

// defaultReplicas are the labels of HA pairs: of Prometheus' operator, of Cortex'
// and Mimir's tracker, of Thanos' guides.
var defaultReplicas = []string{"prometheus_replica", "__replica__", "replica"}

// Bounds.
const (
	defaultAnswer  = 64 << 20
	defaultTimeout = 2 * time.Minute
	defaultPending = 1 << 16
	maxMatch       = 4096 // bytes of all matchers
)

func (o Options) withDefaults() Options {
	if o.MaxAnswer <= 0 {
		o.MaxAnswer = defaultAnswer
	}
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.MaxPending <= 0 {
		o.MaxPending = defaultPending
	}
	if o.NotAfter == 0 {
		o.NotAfter = int64(series.LatestTime) * 1000
	}
	if o.Replicas == nil {
		o.Replicas = defaultReplicas
	}
	o.Series.Cluster = o.Cluster
	if o.Wait == nil {
		o.Wait = sleep
	}
	return o
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// address parses the URI: the address of queries (without user), and the user.
func address(uri string) (base *url.URL, user *url.Userinfo, err error) {
	u, err := url.Parse(uri)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		// the parser's message would show the password
		return nil, nil, errors.New("the address of a query API is http(s)://[user:password@]host[/prefix]")
	}
	user, u.User, u.Fragment = u.User, nil, ""
	u.Path = strings.TrimSuffix(strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/query"), "/api/v1")
	u.RawPath = ""
	return u, user, nil
}

// Check reports faults of an address and matchers, without any request.
func Check(uri string, match []string) error {
	_, _, err := address(uri)
	_, merr := matchers(match)
	return errors.Join(err, merr)
}

// matchers joins label matchers for a selector, and verifies that they contain nothing else.
func matchers(match []string) (string, error) {
	var all []string
	for _, m := range match {
		text := strings.TrimSpace(m)
		if inner, ok := strings.CutPrefix(text, "{"); ok {
			if text, ok = strings.CutSuffix(inner, "}"); !ok {
				return "", fmt.Errorf("match %q: the brace is not closed", m)
			}
		}
		list, err := splitMatchers(text)
		if err != nil {
			return "", fmt.Errorf("match %q: %w", m, err)
		}
		all = append(all, list...)
	}
	joined := strings.Join(slices.Compact(all), ",")
	if len(joined) > maxMatch {
		return "", fmt.Errorf("matchers of %d bytes: at most %d", len(joined), maxMatch)
	}
	return joined, nil
}

var errMatcher = errors.New(`write label="value", with = != =~ or !~`)

// splitMatchers reads label op "value" separated by commas.
func splitMatchers(text string) ([]string, error) {
	var list []string
	for rest := strings.TrimSpace(text); rest != ""; {
		n := 0
		for n < len(rest) && (rest[n] == '_' || rest[n]|0x20 >= 'a' && rest[n]|0x20 <= 'z' || n > 0 && rest[n] >= '0' &&
			rest[n] <= '9') {
			n++
		}
		label := rest[:n]
		rest = strings.TrimLeft(rest[n:], " ")
		op := ""
		for _, o := range []string{"=~", "!~", "!=", "="} {
			if strings.HasPrefix(rest, o) {
				op = o
				break
			}
		}
		rest = strings.TrimLeft(rest[len(op):], " ")
		if label == "" || op == "" || rest == "" || rest[0] != '"' {
			return nil, errMatcher
		}
		if label == "__name__" {
			return nil, errors.New("gpuledger chooses the metric names itself; match other labels")
		}
		end := 1
		for end < len(rest) && rest[end] != '"' {
			if rest[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(rest) {
			return nil, errMatcher
		}
		list = append(list, label+op+rest[:end+1])
		rest = strings.TrimSpace(rest[end+1:])
		if rest == "" {
			break
		}
		if rest[0] != ',' {
			return nil, errMatcher
		}
		rest = strings.TrimSpace(rest[1:])
	}
	return list, nil
}
