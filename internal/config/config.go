package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"gpuledger/internal/nearest"
)

// Config is a configuration file.
type Config struct {
	// KeepEverything keeps bill lines outside the GPU fleet one by one in all
	// sources (rule 8.19).
	KeepEverything bool `yaml:"keep_everything,omitempty"`
	// Books are the exports to prefer when several of equal rank
	// cover the same account and month, the most preferred first.
	Books   []string `yaml:"books,omitempty"`
	Sources []Source `yaml:"sources"`

	// Scrape are targets that serve scrapes.
	Scrape []Scrape `yaml:"scrape,omitempty"`
	// Kubernetes are clusters that serve watches.
	Kubernetes []Kubernetes `yaml:"kubernetes,omitempty"`
	// SpotEvents are queues of events that serve reads.
	SpotEvents []EventQueue `yaml:"spot_events,omitempty"`
	// RemoteWrite configures the receivers of pushed telemetry.
	RemoteWrite RemoteWrite `yaml:"remote_write,omitempty"`
	// Series configures what metrics do not say themselves; a source may override it.
	Series Series `yaml:"series,omitempty"`
	// AllocateEvery is the least time between two automatic allocations while
	// telemetry arrives; 0: 5 minutes.
	AllocateEvery Duration `yaml:"allocate_every,omitempty"`
	// Allocation configures how node-days are computed.
	Allocation Allocation `yaml:"allocation,omitempty"`
	// Retention is how long telemetry is kept.
	Retention Retention `yaml:"retention,omitempty"`
	// Exports configures where exports are written to.
	Exports Exports `yaml:"exports,omitempty"`
	// Limits bound the resources that clients can use.
	Limits Limits `yaml:"limits,omitempty"`
	// Operators may change the books over HTTP.
	Operators []Operator `yaml:"operators,omitempty"`
	// Access configures sign-in other than by password.
	Access Access `yaml:"access,omitempty"`
}

// Retention is how long telemetry is kept.
type Retention struct {
	// Samples is how long minute samples are kept at least; 0: 400 days, so
	// that a month can be compared with the same month a year before.
	Samples Duration `yaml:"samples,omitempty"`
}

// Bounds of retention. A bill is final only weeks after its month, and needs the samples until then.
const (
	DefaultKeepSamples  = 400 * 24 * time.Hour
	shortestKeepSamples = 60 * 24 * time.Hour
)

// Source is one source of imports.
type Source struct {
	Name     string   `yaml:"name"`             // unique; [a-z0-9-]
	Source   string   `yaml:"source,omitempty"` // format; empty: auto
	URI      string   `yaml:"uri,omitempty"`    // a single one; moved to URIs
	URIs     []string `yaml:"uris,omitempty"`
	Schedule Schedule `yaml:"schedule,omitempty"` // empty: only by hand

	RoleARN    string `yaml:"role_arn,omitempty"`    // AWS role to assume
	ExternalID string `yaml:"external_id,omitempty"` // of the role's trust policy
	Endpoint   string `yaml:"endpoint,omitempty"`    // of a server other than the provider's
	Region     string `yaml:"region,omitempty"`
	PathStyle  bool   `yaml:"path_style,omitempty"` // S3: bucket in the path
	Anonymous  bool   `yaml:"anonymous,omitempty"`  // public data: no credentials
	Location   string `yaml:"location,omitempty"`   // BigQuery: location of the data set
	Project    string `yaml:"project,omitempty"`    // BigQuery: project that pays for queries; empty: the table's

	// Of query APIs (source prometheus).
	Match          []string `yaml:"match,omitempty"`            // label matchers that must all hold
	Lookback       Duration `yaml:"lookback,omitempty"`         // of the first import; 0: 30 days
	OrgID          string   `yaml:"org_id,omitempty"`           // X-Scope-OrgID
	BearerTokenEnv string   `yaml:"bearer_token_env,omitempty"` // environment variable with the token
	TLS            TLS      `yaml:"tls,omitempty"`

	Cluster  string `yaml:"cluster,omitempty"`   // of telemetry that names none
	TimeZone string `yaml:"time_zone,omitempty"` // of times without one, such as Europe/Berlin; empty: UTC
	// Series overrides the general section; nil: it does not.
	Series         *Series `yaml:"series,omitempty"`
	DeliveredAt    string  `yaml:"delivered_at,omitempty"`  // of a bill whose files do not state it
	BillCurrency   string  `yaml:"bill_currency,omitempty"` // of a bill that states none
	DateOrder      string  `yaml:"date_order,omitempty"`    // dmy or mdy: of dates of a bill such as 03/04/2026
	KeepEverything *bool   `yaml:"keep_everything,omitempty"`

	line int
}

// Line is the line of the file at which the source begins.
func (s Source) Line() int { return s.line }

// maxBytes bounds a configuration file.
const maxBytes = 1 << 20

// Known are the names that the caller supports.
type Known struct {
	Sources []string // formats
	Schemes []string // of URIs, without "://"
	Roles   []string // that groups may give
	// Scope checks a condition of a scope; nil: conditions are not checked.
	Scope func(condition string) error
}

// Load reads and checks a file. With *Faults, the configuration is returned, too, for checks of what it does say.
func Load(path string, known Known) (c *Config, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	text, err := io.ReadAll(io.LimitReader(file, maxBytes+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxBytes {
		return nil, fmt.Errorf("%s: larger than %d bytes", path, maxBytes)
	}
	c, err = Parse(text, known)
	if faults, ok := errors.AsType[*Faults](err); ok {
		faults.File = path
	}
	return c, err
}

// Parse reads and checks the text of a file. All faults are reported at once, as *Faults, each with its line.
func Parse(text []byte, known Known) (*Config, error) {
	var (
		c      Config
		faults Faults
		root   yaml.Node
	)
	dec := yaml.NewDecoder(bytes.NewReader(text))
	err := dec.Decode(&root)
	if errors.Is(err, io.EOF) {
		faults.Add(0, "the file is empty")
		return nil, faults.Err()
	}
	if err != nil {
		faults.decoded(text, err)
		return nil, faults.Err()
	}
	var more yaml.Node
	if err := dec.Decode(&more); err == nil {
		faults.Add(more.Line, "more than one document: remove everything after the line ---")
	} else if !errors.Is(err, io.EOF) {
		faults.decoded(text, err)
	}
	if err := root.Decode(&c); err != nil {
		faults.decoded(text, err)
	}
	faults.findUnknown(&root)
	c.findLines(&root)
	for i := range c.Sources {
		s := &c.Sources[i]
		if s.Source == "" {
			s.Source = "auto"
		}
		if s.URI != "" {
			s.URIs, s.URI = append([]string{s.URI}, s.URIs...), ""
		}
	}
	c.check(known, &root, &faults)
	return &c, faults.Err()
}

// findLines finds the line of each entry that a fault can name.
func (c *Config) findLines(root *yaml.Node) {
	for i, line := range entryLines(root, "sources") {
		if i < len(c.Sources) {
			c.Sources[i].line = line
		}
	}
	for i, line := range entryLines(root, "scrape") {
		if i < len(c.Scrape) {
			c.Scrape[i].line = line
		}
	}
	for i, line := range entryLines(root, "kubernetes") {
		if i < len(c.Kubernetes) {
			c.Kubernetes[i].line = line
		}
	}
	for i, line := range entryLines(root, "spot_events") {
		if i < len(c.SpotEvents) {
			c.SpotEvents[i].line = line
		}
	}
	for i, line := range entryLines(root, "operators") {
		if i < len(c.Operators) {
			c.Operators[i].line = line
		}
	}
	c.RemoteWrite.line = sectionLine(root, "remote_write")
	c.findAccessLines(root)
}

var nameForm = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,62}$`)

// check adds the faults of what the file says.
func (c *Config) check(known Known, root *yaml.Node, faults *Faults) {
	seen := map[string]int{}
	for i := range c.Sources {
		s := &c.Sources[i]
		fault := faults.adding(s.line, fmt.Sprintf("source %q: ", s.Name))
		switch before, twice := seen[s.Name]; {
		case !nameForm.MatchString(s.Name):
			fault("name must consist of lower-case letters, digits and hyphens")
		case twice:
			fault("the name is already used on line %d", before)
		}
		seen[s.Name] = s.line
		if !slices.Contains(known.Sources, s.Source) {
			fault("unknown source %q%s; known sources are %s", s.Source, nearest.Suggest(s.Source, known.Sources),
				strings.Join(known.Sources, ", "))
		}
		if len(s.URIs) == 0 {
			fault("uris is missing: name a file, a folder or a prefix")
		}
		s.checkURIs(known, fault)
		s.checkQuery(fault)
		if s.Series != nil {
			s.Series.check(fault)
		}
	}
	c.checkLive(root, faults)
	named := map[string]bool{}
	for i := range c.Operators {
		o := &c.Operators[i]
		fault := faults.adding(o.line, fmt.Sprintf("operator %q: ", o.Name))
		if named[o.Name] {
			fault("another operator has this name")
		}
		named[o.Name] = true
		o.check(fault)
	}
	c.Access.check(known, faults)
	for i, book := range c.Books {
		if book == "" || slices.Contains(c.Books[:i], book) {
			faults.Add(lineOf(root, "books"), "books: %q is empty or named twice", book)
		}
	}
}

func (s *Source) checkURIs(known Known, fault func(format string, args ...any)) {
	schemes := map[string]bool{}
	for _, uri := range s.URIs {
		scheme, _, found := strings.Cut(uri, "://")
		switch {
		case uri == "":
			fault("a uri is empty")
		case found && scheme != "file" && !slices.Contains(known.Schemes, scheme):
			fault("unknown scheme %q; known are local paths, file, %s", scheme, strings.Join(known.Schemes, ", "))
		}
		if !found {
			scheme = "file"
		}
		schemes[scheme] = true
	}
	for option, needs := range map[string]struct {
		given   bool
		schemes []string
	}{
		"role_arn":    {s.RoleARN != "", []string{"s3"}},
		"external_id": {s.ExternalID != "", []string{"s3"}},
		"path_style":  {s.PathStyle, []string{"s3"}},
		"region":      {s.Region != "", []string{"s3"}},
		"endpoint":    {s.Endpoint != "", []string{"s3", "gs", "az", "bq"}},
		"anonymous":   {s.Anonymous, []string{"s3", "gs", "az"}},
		"location":    {s.Location != "", []string{"bq"}},
		"project":     {s.Project != "", []string{"bq"}},
	} {
		if needs.given && !slices.ContainsFunc(needs.schemes, func(name string) bool { return schemes[name] }) {
			fault("%s has no meaning without a uri of %s://", option, strings.Join(needs.schemes, ":// or "))
		}
	}
	if s.ExternalID != "" && s.RoleARN == "" {
		fault("external_id has no meaning without role_arn")
	}
}

// checkQuery refuses options of query APIs in other sources.
func (s *Source) checkQuery(fault fault) {
	if s.Source == queryAPI {
		checkEnv("bearer_token_env", s.BearerTokenEnv, fault)
		return
	}
	for option, given := range map[string]bool{"match": len(s.Match) > 0, "lookback": s.Lookback != 0,
		"org_id":           s.OrgID != "",
		"bearer_token_env": s.BearerTokenEnv != "", "tls": s.TLS != TLS{}} {
		if given {
			fault("%s has no meaning without source: %s", option, queryAPI)
		}
	}
}

// queryAPI is the format of sources that are query APIs.
const queryAPI = "prometheus"

// checkLive checks the settings of serve.
func (c *Config) checkLive(root *yaml.Node, faults *Faults) {
	seen := map[string]bool{}
	for i := range c.Scrape {
		s := &c.Scrape[i]
		fault := faults.adding(s.line, fmt.Sprintf("scrape %q: ", s.Name))
		if !nameForm.MatchString(s.Name) || seen[s.Name] {
			fault("the name must consist of lower-case letters, digits and hyphens, and be unique")
		}
		seen[s.Name] = true
		s.check(fault)
	}
	c.checkKubernetes(func(k *Kubernetes, format string, args ...any) {
		faults.adding(k.line, fmt.Sprintf("kubernetes %q: ", k.Cluster))(format, args...)
	})
	c.checkEventQueues(func(q *EventQueue, format string, args ...any) {
		faults.adding(q.line, fmt.Sprintf("spot_events, queue %q: ", q.QueueURL))(format, args...)
	})
	c.Exports.check(faults.adding(lineOf(root, "exports", "s3"), "exports.s3: "))
	c.RemoteWrite.check(faults.adding(c.RemoteWrite.line, "remote_write: "))
	if c.Retention.Samples != 0 && time.Duration(c.Retention.Samples) < shortestKeepSamples {
		faults.Add(lineOf(root, "retention", "samples"), "retention.samples: give at least 60d, so that bills are final "+
			"before the minutes that split them are deleted")
	}
	c.Series.check(faults.adding(lineOf(root, "series"), ""))
	c.Allocation.check(func(key, format string, args ...any) {
		faults.adding(lineOf(root, "allocation", key), "allocation."+key+": ")(format, args...)
	})
	c.Limits.check(func(key, format string, args ...any) {
		faults.adding(lineOf(root, "limits", key), "limits."+key+": ")(format, args...)
	})
	if c.AllocateEvery != 0 && time.Duration(c.AllocateEvery) < shortestAllocate {
		faults.Add(lineOf(root, "allocate_every"), "allocate_every: give at least %s", shortestAllocate)
	}
}

// Find returns the source of a name.
func (c *Config) Find(name string) (Source, bool) {
	for _, s := range c.Sources {
		if s.Name == name {
			return s, true
		}
	}
	return Source{}, false
}

// Keeps reports whether a source keeps every line.
func (c *Config) Keeps(s Source) bool {
	if s.KeepEverything != nil {
		return *s.KeepEverything
	}
	return c.KeepEverything
}

// masked replaces a secret.
const masked = "***"

// Print writes the configuration as parsed, with secrets masked:
// external ids, and the query and user part of a
// URI.
func (c *Config) Print(w io.Writer, redact func(uri string) string) error {
	shown := *c
	shown.Sources = slices.Clone(c.Sources)
	for i := range shown.Sources {
		s := &shown.Sources[i]
		if s.ExternalID != "" {
			s.ExternalID = masked
		}
		s.Endpoint = redact(s.Endpoint)
		s.URIs = slices.Clone(s.URIs)
		for k, uri := range s.URIs {
			s.URIs[k] = redact(uri)
		}
	}
	shown.Scrape = slices.Clone(c.Scrape)
	for i := range shown.Scrape {
		s := &shown.Scrape[i]
		s.HTTPSD = redact(s.HTTPSD)
		s.Targets = slices.Clone(s.Targets)
		for k, target := range s.Targets {
			s.Targets[k] = redact(target)
		}
	}
	enc := yaml.NewEncoder(w)
	enc.SetIndent(2)
	return errors.Join(enc.Encode(&shown), enc.Close())
}
