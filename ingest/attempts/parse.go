package attempts

import (
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"gpuledger/ingest/records"
	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Options are facts that a file lacks.
type Options struct {
	Cluster string         // of rows without one; empty: "default"
	Zone    *time.Location // of times without one; nil: UTC
}

const defaultCluster = "default"

// columns are the columns that are read, squashed; each with the prefix label: is an additional
// label.
var columns = map[string]bool{}

func init() {
	for _, name := range []string{
		"run_id", "attempt", "task", "group", "cluster", "namespace",
		"name", "kind", "team", "project", "model", "user", "queue",
		"submitted_at", "eligible_at", "started_at", "ended_at", "last_seen_at",
		"outcome", "reason", "pricing", "nodes", "node", "gpus", "gpu_type", "devices",
		"pod", "pods", "last_checkpoint_at", "resumed_from",
	} {
		columns[table.Squash(name)] = true
	}
}

// labelPrefix marks columns that are labels.
const labelPrefix = "label:"

// batchSize is how many facts are emitted at once.
const batchSize = 4096

// Detect reports whether a file with this start is in this format.
func Detect(head []byte) bool {
	text := strings.TrimLeft(strings.TrimPrefix(string(head), "\ufeff"), " \t\r\n")
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		return strings.Contains(text, `"run_id"`) &&
			(strings.Contains(text, `"started_at"`) || strings.Contains(text, `"submitted_at"`))
	}
	line, _, _ := strings.Cut(text, "\n")
	return len(missing(strings.Split(strings.Trim(line, "\r"), ","))) == 0
}

// missing lists the required columns that a header lacks.
func missing(names []string) []string {
	has := map[string]bool{}
	for _, name := range names {
		has[table.Squash(name)] = true
	}
	var out []string
	if !has["runid"] {
		out = append(out, "run_id")
	}
	if !has["startedat"] && !has["submittedat"] {
		out = append(out, "started_at or submitted_at")
	}
	return out
}

type parser struct {
	file    string
	opt     Options
	emit    func(*ledger.Telemetry) error
	read    ledger.Reading
	out     *ledger.Telemetry
	unknown map[string]bool
}

// Parse reads one file and emits its facts in batches, which the receiver may keep. Rows that
// cannot be facts are counted in the Reading; a *ledger.FileError refuses the file.
func Parse(
	ctx context.Context, in io.Reader, file string, o Options, emit func(*ledger.Telemetry) error,
) (ledger.Reading, error) {
	p := &parser{file: file, opt: o, emit: emit, out: &ledger.Telemetry{}, unknown: map[string]bool{}}
	rd := records.Reader{
		Lists: []string{"attempts"},
		Header: func(names []string) error {
			if lacks := missing(names); len(lacks) > 0 {
				return &ledger.FileError{Rejection: ledger.Rejection{File: file, Reason: "missing column",
					Detail: strings.Join(lacks, ", ") + " is required: docs/connect/attempts.md lists the columns"}}
			}
			return nil
		},
		Reject: func(r ledger.Rejection) {
			p.read.Rows++
			p.read.Reject(r)
		},
	}
	if err := rd.Each(ctx, in, file, p.record); err != nil {
		return p.read, err
	}
	return p.read, p.send()
}

func (p *parser) record(r *records.Record) error {
	p.read.Rows++
	a, bad := p.attempt(r)
	if bad != nil {
		p.read.Reject(ledger.Rejection{
			File: p.file, Line: r.Line, Column: bad.column, Reason: bad.reason, Detail: bad.detail,
		})
		return nil
	}
	p.read.Accepted++
	p.read.Note(records.ReadAsUTC,
		records.Zoneless(p.opt.Zone, r.Text("submitted_at"), r.Text("started_at"), r.Text("ended_at")))
	if a.cluster == "" {
		if a.cluster = p.opt.Cluster; a.cluster == "" {
			a.cluster = defaultCluster
			p.read.Unlabelled++
		}
	}
	a.facts(p.out)
	if len(p.out.Workloads)+len(p.out.Segments) < batchSize {
		return nil
	}
	return p.send()
}

func (p *parser) send() error {
	t := p.out
	p.out = &ledger.Telemetry{}
	if len(t.Workloads)+len(t.Segments) == 0 {
		return nil
	}
	return p.emit(t)
}

// knows counts unused columns, once each.
func (p *parser) knows(name string) bool {
	if columns[table.Squash(name)] {
		return true
	}
	if !p.unknown[name] {
		p.unknown[name] = true
		p.read.Note("unknown column "+records.Clip(records.Clean(name)), 1)
	}
	return false
}

// splitList splits both a;b and JSON's ["a","b"].
func splitList(text string) []string {
	if inside, found := strings.CutPrefix(text, "["); found && strings.HasSuffix(inside, "]") {
		text = strings.ReplaceAll(strings.ReplaceAll(strings.TrimSuffix(inside, "]"), `"`, ""), ",", ";")
	}
	var out []string
	for part := range strings.SplitSeq(text, ";") {
		if part = records.Clean(part); part != "" && !slices.Contains(out, part) {
			out = append(out, part)
		}
	}
	return out
}

// last is the latest of some times.
func last(times ...period.Second) period.Second { return slices.Max(times) }
