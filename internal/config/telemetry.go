package config

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// Duration is a time span as written in the file: 15s, 5m, 24h, 30d.
type Duration time.Duration

var durationForm = regexp.MustCompile(`^([1-9][0-9]{0,5})(s|m|h|d)$`)

// UnmarshalYAML implements yaml.Unmarshaler.
func (d *Duration) UnmarshalYAML(n *yaml.Node) error {
	m := durationForm.FindStringSubmatch(n.Value)
	if m == nil {
		return oneFault(n, "%q is not a time span: write 15s, 5m, 24h or 30d", n.Value)
	}
	text, days := m[1]+m[2], time.Duration(1)
	if m[2] == "d" {
		text, days = m[1]+"h", 24
	}
	v, err := time.ParseDuration(text)
	if err != nil {
		return oneFault(n, "%s", err)
	}
	*d = Duration(v * days)
	return nil
}

// MarshalYAML implements yaml.Marshaler.
func (d Duration) MarshalYAML() (any, error) {
	v := time.Duration(d)
	for _, u := range []struct {
		span time.Duration
		name string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "m"}} {
		if v != 0 && v%u.span == 0 {
			return fmt.Sprintf("%d%s", v/u.span, u.name), nil
		}
	}
	return fmt.Sprintf("%ds", v/time.Second), nil
}

// TLS configures how a server's certificate is verified.
type TLS struct {
	CAFile     string `yaml:"ca_file,omitempty"`
	ServerName string `yaml:"server_name,omitempty"`
	Insecure   bool   `yaml:"insecure,omitempty"`
}

// Scrape is a group of targets that serve scrapes.
type Scrape struct {
	Name           string            `yaml:"name"` // the label job, unless given
	Interval       Duration          `yaml:"interval,omitempty"`
	Timeout        Duration          `yaml:"timeout,omitempty"`
	Targets        []string          `yaml:"targets,omitempty"` // http(s)://host:port/path
	HTTPSD         string            `yaml:"http_sd,omitempty"` // address that returns targets, like Prometheus' http_sd
	Labels         map[string]string `yaml:"labels,omitempty"`  // of every target
	HonorLabels    bool              `yaml:"honor_labels,omitempty"`
	BearerTokenEnv string            `yaml:"bearer_token_env,omitempty"`
	TLS            TLS               `yaml:"tls,omitempty"`

	line int
}

// RemoteWrite configures /api/v1/write and the other receivers.
type RemoteWrite struct {
	// Cluster is the cluster of samples that do not name one.
	Cluster string `yaml:"cluster,omitempty"`
	// OutOfOrderWindow is how old a sample may be; 0: 24 h.
	OutOfOrderWindow Duration `yaml:"out_of_order_window,omitempty"`
	// BearerTokenEnv names the environment variable that holds the senders'
	// token; empty: they need none.
	BearerTokenEnv string `yaml:"bearer_token_env,omitempty"`
	// MaxSeries bounds the series that are remembered for each sender; 0: the
	// default.
	MaxSeries int `yaml:"max_series,omitempty"`
	// MaxRequestMiB bounds one uncompressed request; 0: the default.
	MaxRequestMiB int `yaml:"max_request_mib,omitempty"`

	line int
}

// Series configures what metrics do not say themselves.
type Series struct {
	// GPUUtil is the unit of DCGM_FI_DEV_GPU_UTIL: percent (empty), or ratio
	// if a pipeline rescales it under the same name.
	GPUUtil string `yaml:"gpu_util,omitempty"`
	// GPUUtilRatio is the unit of DCGM_FI_DEV_GPU_UTIL_RATIO: percent (DCGM 4.6)
	// or ratio (4.7); empty: decided by the label that came with 4.7.
	GPUUtilRatio string `yaml:"gpu_util_ratio,omitempty"`
	// Node is the machine of samples that do not name one.
	Node string `yaml:"node,omitempty"`
	// Table is a CSV file of additional counters, with the columns of
	// ingest/series/inference.csv.
	Table string `yaml:"table,omitempty"`
}

func (s *Series) check(fault fault) {
	for key, unit := range map[string]string{"gpu_util": s.GPUUtil, "gpu_util_ratio": s.GPUUtilRatio} {
		if unit != "" && unit != "percent" && unit != "ratio" {
			fault("series: %s must be percent or ratio", key)
		}
	}
}

// SeriesOf is the Series section for a source: its own, else the general one.
func (c *Config) SeriesOf(s Source) Series {
	if s.Series != nil {
		return *s.Series
	}
	return c.Series
}

// Defaults and bounds of live telemetry.
const (
	DefaultAllocateEvery  = 5 * time.Minute
	DefaultScrapeInterval = 30 * time.Second
	shortestInterval      = 5 * time.Second
	shortestAllocate      = 10 * time.Second
	longestWindow         = 31 * 24 * time.Hour
)

var (
	labelForm = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)
	envForm   = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// fault collects a fault of an entry.
type fault func(format string, args ...any)

func (s *Scrape) check(fault fault) {
	if s.Interval == 0 {
		s.Interval = Duration(DefaultScrapeInterval)
	}
	if s.Timeout == 0 {
		s.Timeout = min(s.Interval, Duration(10*time.Second))
	}
	switch {
	case time.Duration(s.Interval) < shortestInterval || time.Duration(s.Interval) > time.Hour:
		fault("interval must be between %s and 1h", shortestInterval)
	case s.Timeout > s.Interval:
		fault("timeout must not be longer than the interval")
	}
	if len(s.Targets) == 0 && s.HTTPSD == "" {
		fault("targets is missing: name addresses, or an http_sd address that returns them")
	}
	for _, t := range s.Targets {
		if !strings.HasPrefix(t, "http://") && !strings.HasPrefix(t, "https://") {
			fault("target %q: write http://host:port/metrics", redactUser(t))
		}
	}
	if s.HTTPSD != "" && !strings.HasPrefix(s.HTTPSD, "http://") && !strings.HasPrefix(s.HTTPSD, "https://") {
		fault("http_sd: write http(s)://host/path")
	}
	for _, name := range slices.Sorted(maps.Keys(s.Labels)) {
		if !labelForm.MatchString(name) || name == "__name__" {
			fault("label %q: use letters, digits and underscores", name)
		}
	}
	checkEnv("bearer_token_env", s.BearerTokenEnv, fault)
}

func (r *RemoteWrite) check(fault fault) {
	if w := time.Duration(r.OutOfOrderWindow); w != 0 && (w < time.Minute || w > longestWindow) {
		fault("out_of_order_window must be between 1m and 31d")
	}
	if r.MaxSeries < 0 || r.MaxRequestMiB < 0 || r.MaxRequestMiB > 256 {
		fault("max_series and max_request_mib must not be negative, and a request at most 256 MiB")
	}
	checkEnv("bearer_token_env", r.BearerTokenEnv, fault)
}

func checkEnv(key, name string, fault fault) {
	if name != "" && !envForm.MatchString(name) {
		fault("%s names an environment variable; do not write the token itself into this file", key)
	}
}

// redactUser drops user and password from an address.
func redactUser(uri string) string {
	scheme, rest, found := strings.Cut(uri, "://")
	if !found {
		return uri
	}
	host, path, slash := strings.Cut(rest, "/")
	host = host[strings.LastIndexByte(host, '@')+1:]
	if slash {
		host += "/" + path
	}
	return scheme + "://" + host
}
