package config

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var known = Known{
	Sources: []string{"auto", "aws-cur", "gcp-billing", "prometheus"}, Schemes: []string{"s3", "gs", "az", "https", "bq"},
}

const good = `keep_everything: true
books: [main-cur]
sources:
  - name: aws
    source: aws-cur
    uri: s3://bills/cur/
    schedule: every 6h
    role_arn: arn:aws:iam::111122223333:role/bills
    external_id: secret-7
    keep_everything: false
  - name: gcp
    source: gcp-billing
    uris: [bq://p.billing.gcp_billing_export_resource_v1_X, "https://host/x?sig=hush"]
    schedule: daily 04:05 UTC
  - name: hand
    uris: [/data/bills]
  - name: prom
    source: prometheus
    uri: https://me:hunter2@mimir/prometheus
    match: ['cluster="a"']
    lookback: 90d
    org_id: t1
    bearer_token_env: MIMIR_TOKEN
    tls: {ca_file: /etc/ca.pem}
scrape:
  - name: dcgm
    interval: 15s
    targets: ["http://u:hunter2@10.0.0.7:9400/metrics"]
    labels: {node: n1, cluster: a}
  - name: found
    http_sd: http://sd/targets?key=hush
    tls: {insecure: true}
remote_write:
  cluster: a
  out_of_order_window: 48h
  bearer_token_env: PUSH_TOKEN
  max_series: 200000
allocate_every: 90s
series: {gpu_util_ratio: percent}
`

func TestReadCheckPrint(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(path, []byte(good), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Load(path, known)
	if err != nil {
		t.Fatal(err)
	}
	aws, ok := c.Find("aws")
	if !ok || aws.Schedule.Every != 6*time.Hour || c.Keeps(aws) || len(aws.URIs) != 1 {
		t.Errorf("%+v", aws)
	}
	hand, ok := c.Find("hand")
	if !ok || hand.Source != "auto" || !hand.Schedule.IsZero() || !c.Keeps(hand) {
		t.Errorf("%+v", hand)
	}
	var out bytes.Buffer
	if err := c.Print(&out, func(uri string) string {
		before, _, _ := strings.Cut(uri, "?")
		return redactUser(before)
	}); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); strings.Contains(text, "secret-7") || strings.Contains(text, "hush") ||
		strings.Contains(text, "hunter2") || !strings.Contains(text, "every 6h") {
		t.Error(text)
	}
	again, err := Parse(out.Bytes(), known)
	if err != nil || len(again.Sources) != 4 || again.Scrape[1].Interval != Duration(DefaultScrapeInterval) ||
		again.RemoteWrite.OutOfOrderWindow != c.RemoteWrite.OutOfOrderWindow ||
		again.AllocateEvery != Duration(90*time.Second) || again.Sources[3].Lookback != Duration(90*24*time.Hour) ||
		again.Sources[1].Schedule != c.Sources[1].Schedule {
		t.Errorf("what is printed cannot be read: %v", err)
	}
}

func TestFaultsNameTheirLine(t *testing.T) {
	for text, words := range map[string]string{
		"":                      "empty",
		"sources: []\nsauce: 1": "line 2: unknown field sauce",
		"sources:\n  - name: a\n    uri: x\n    shedule: y":       "line 4: unknown field shedule in sources (did you mean schedule?)",
		"sources:\n  - name: a\n    uri: x\n    schedule: hourly": "line 4: schedule \"hourly\"",
		"sources:\n  - name: A b\n    uri: x":                     "line 2: source \"A b\": name must",
		"sources:\n  - name: a\n    uri: x\n  - name: a\n    uri: y": "line 4: source \"a\": the name " +
			"is already used on line 2",
		"sources:\n  - name: a":                                 "uris is missing",
		"sources:\n  - name: a\n    uri: ftp://x":               "unknown scheme \"ftp\"",
		"sources:\n  - name: a\n    source: oracle\n    uri: x": "unknown source \"oracle\"",
		"sources:\n  - name: a\n    uri: /x\n    role_arn: r":   "role_arn has no meaning",
		"sources:\n  - name: a\n    uri: s3://b\n    external_id: r": "external_id has no meaning " +
			"without role_arn",
		"sources:\n  - name: a\n    uris: [1, {}]": "line 3",
		"sources: []\nbooks: [a, a]":               "named twice",
		"sources: []\n---\nsources: []":            "more than one document",
		"scrape:\n  - name: x\n    targets: [a:9400]": "line 2: scrape \"x\": target " +
			"\"a:9400\"",
		"scrape:\n  - name: x\n    interval: 1s\n    http_sd: http://x":     "interval must be between 5s",
		"scrape:\n  - name: x\n    interval: 5 minutes":                     "line 3: \"5 minutes\" is not a time span",
		"scrape:\n  - name: x\n    timeout: 40s\n    http_sd: http://x":     "timeout must not be longer",
		"scrape:\n  - name: x\n    http_sd: http://x\n    labels: {a-b: c}": "label \"a-b\"",
		"scrape:\n  - name: x": "targets is missing",
		"scrape:\n  - {name: x, http_sd: http://x}\n  - {name: x, http_sd: http://x}": "line 3: scrape \"x\": the name",
		"remote_write:\n  out_of_order_window: 90d": "line 2: remote_write: " +
			"out_of_order_window",
		"remote_write:\n  bearer_token_env: my secret": "names an environment variable",
		"remote_write:\n  token: x":                    "line 2: unknown field token",
		"series:\n  gpu_util: tenths":                  "gpu_util must be percent or ratio",
		"sources:\n  - name: a\n    uri: /x\n    series: {gpu_util_ratio: both}": "line 2: source \"a\": series: " +
			"gpu_util_ratio must be percent",
		"allocate_every: 1s": "at least 10s",
		"sources:\n  - name: a\n    uri: /x\n    match: ['a=\"b\"']": "match has no meaning without " +
			"source: prometheus",
		"sources: {": "line 1",
		"sources:\n  - name: a\n    uri: x\n    keep_everything: maybe":                          "line 4",
		"sources:\n  - name: b\n    uris: [\"\"]\n  - name: c\n    uri: x\n    source: nonsense": "line 4: source \"c\"",
	} {
		_, err := Parse([]byte(text), known)
		if err == nil || !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), "config.") ||
			strings.Contains(err.Error(), "yaml:") {
			t.Errorf("%q: %v, want %q", text, err, words)
		}
	}
}

func TestTicks(t *testing.T) {
	at := func(text string) time.Time {
		v, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, c := range []struct{ schedule, now, tick, next string }{
		{"every 6h", "2026-03-01T07:30:00Z", "2026-03-01T06:00:00Z", "2026-03-01T12:00:00Z"},
		{"every 6h", "2026-03-01T06:00:00Z", "2026-03-01T06:00:00Z", "2026-03-01T12:00:00Z"},
		{"daily 04:05", "2026-03-01T04:04:59Z", "2026-02-28T04:05:00Z", "2026-03-01T04:05:00Z"},
		{"daily 04:05 UTC", "2026-03-01T04:05:00+01:00", "2026-02-28T04:05:00Z", "2026-03-01T04:05:00Z"},
		{"every 30m", "1969-12-31T23:10:00Z", "1969-12-31T23:00:00Z", "1969-12-31T23:30:00Z"},
	} {
		s, err := ParseSchedule(c.schedule)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Tick(at(c.now)); !got.Equal(at(c.tick)) {
			t.Errorf("%s at %s: tick %s", c.schedule, c.now, got)
		}
		if got := s.Next(at(c.now)); !got.Equal(at(c.next)) {
			t.Errorf("%s at %s: next %s", c.schedule, c.now, got)
		}
	}
	for _, bad := range []string{
		"every 0h", "every 40d", "every 1s", "daily 24:00", "daily 4:00", "cron", "every 99999d",
	} {
		if s, err := ParseSchedule(bad); err == nil {
			t.Errorf("%q: %+v", bad, s)
		}
	}
}

func TestScheduleKeepsItsForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Schedule{Every: time.Duration(rapid.IntRange(1, 31*24*60).Draw(t, "minutes")) * time.Minute}
		if s.Every == 24*time.Hour {
			s.Offset = time.Duration(rapid.IntRange(0, 1439).Draw(t, "offset")) * time.Minute
		}
		got, err := ParseSchedule(s.String())
		if err != nil || got != s {
			t.Fatalf("%s: %+v, %v", s, got, err)
		}
		now := time.Unix(rapid.Int64Range(-1<<40, 1<<40).Draw(t, "now"), 0)
		if tick := s.Tick(now); tick.After(now) || !s.Next(now).After(now) ||
			!s.Tick(s.Next(now).Add(-time.Second)).Equal(tick) {
			t.Fatalf("%s at %s: tick %s", s, now, tick)
		}
	})
}
