package runrecords

import (
	"bytes"
	"context"
	"io"
	"maps"
	"strings"
	"time"

	"gpuledger/ingest/jsonstream"
	"gpuledger/ingest/records"
	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
)

// Options are facts that a file lacks.
type Options struct {
	Cluster string         // of the runs' workloads, unless a tag names another; empty: "default"
	Zone    *time.Location // of times without one; nil: UTC
}

const defaultCluster = "default"

// batchSize is how many segments are emitted at once.
const batchSize = 4096

// Detect reports whether a file with this start contains run records.
func Detect(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	if len(head) == 0 {
		return false
	}
	has := func(marks ...string) bool {
		for _, m := range marks {
			if !bytes.Contains(head, []byte(m)) {
				return false
			}
		}
		return true
	}
	if head[0] == '{' || head[0] == '[' {
		return has(`"info"`, `"run_id"`, `"experiment_id"`) || has(`"run_id"`, `"experiment_id"`, `"artifact_uri"`) ||
			has(`"state"`, `"project"`) && (has(`"createdAt"`) || has(`"created_at"`)) &&
				(has(`"heartbeatAt"`) || has(`"heartbeat_at"`) || has(`"summaryMetrics"`) || has(`"display_name"`) ||
					has(`"displayName"`))
	}
	line, _, _ := bytes.Cut(head, []byte("\n"))
	return formOf(strings.Split(strings.TrimRight(string(line), "\r"), ",")) != ""
}

// formOf returns, by its columns, the tracker of a CSV export: mlflow, wandb or "".
func formOf(names []string) string {
	has := map[string]bool{}
	for _, name := range names {
		has[table.Squash(name)] = true
	}
	switch {
	case has["runid"] && (has["experimentid"] || has["artifacturi"]) && has["status"]:
		return "mlflow"
	case (has["id"] || has["name"]) && has["state"] && (has["created"] || has["createdat"]) &&
		(has["runtime"] || has["hostname"] || has["sweep"] || has["heartbeatat"]):
		return "wandb"
	}
	return ""
}

type parser struct {
	file string
	opt  Options
	emit func(*ledger.Telemetry) error
	read ledger.Reading
	out  *ledger.Telemetry
}

// Parse reads one file and emits its facts in batches, which the receiver may keep. A
// *ledger.FileError refuses the file.
func Parse(
	ctx context.Context, in io.Reader, file string, o Options, emit func(*ledger.Telemetry) error,
) (ledger.Reading, error) {
	p := &parser{file: file, opt: o, emit: emit, out: &ledger.Telemetry{}}
	form := ""
	rd := records.Reader{
		Lists: []string{"runs", "data"},
		Header: func(names []string) error {
			if form = formOf(names); form == "" {
				return &ledger.FileError{Rejection: ledger.Rejection{File: file, Reason: "missing column",
					Detail: "run_id, experiment_id and status (MLflow), or ID, State and Created with Runtime or Hostname (W&B) " +
						"are expected"}}
			}
			return nil
		},
		Reject: func(r ledger.Rejection) {
			p.read.Rows++
			p.read.Reject(r)
		},
	}
	err := rd.Each(ctx, in, file, func(r *records.Record) error {
		p.read.Rows++
		of := form
		switch {
		case of != "":
		case r.Has("info") || r.Has("run_id"):
			of = "mlflow"
		default:
			of = "wandb"
		}
		known := fieldsOf(r, of)
		var rec *record
		var bad *fieldError
		if of == "mlflow" {
			rec, bad = mlflow(known, o.Zone)
		} else {
			rec, bad = wandb(known, o.Zone)
		}
		if bad != nil {
			p.read.Reject(ledger.Rejection{File: file, Line: r.Line, Column: bad.column, Reason: bad.reason, Detail: bad.detail})
			return nil
		}
		return p.take(rec)
	})
	if err != nil {
		return p.read, err
	}
	return p.read, p.send()
}

// known are the members of a record by lower-case dotted name: tags.team,
// info.start_time, metadata.host.
type known map[string]string

// maxMembers bounds the members of one record that are read.
const maxMembers = 1 << 14

// fieldsOf flattens a record: nested objects, and lists of {key, value}.
func fieldsOf(r *records.Record, form string) known {
	out := known{}
	for i, name := range r.Names() {
		text := r.At(i)
		name = strings.ToLower(name)
		if o, ok := jsonstream.Decode([]byte(text)); ok {
			out.flatten(name, o, 0)
			continue
		}
		out.put(name, text)
	}
	if form == "mlflow" {
		for _, prefix := range []string{"info.", "data."} {
			for name, value := range maps.Clone(out) {
				if rest, found := strings.CutPrefix(name, prefix); found {
					out.put(rest, value)
				}
			}
		}
	}
	return out
}

func (k known) put(name, value string) {
	if value != "" && k[name] == "" && len(k) < maxMembers {
		k[name] = value
	}
}

func (k known) flatten(prefix string, o jsonstream.Object, depth int) {
	if depth > 4 {
		return
	}
	for name, v := range o {
		at := prefix + "." + strings.ToLower(name)
		switch v := v.(type) {
		case map[string]any:
			if inner, wrapped := v["value"]; wrapped { // a parameter of W&B: {"value": 1, "desc": null}
				if deeper, nested := inner.(map[string]any); nested {
					k.flatten(at, deeper, depth+1)
				} else {
					k.put(at, jsonstream.Text(inner))
				}
				continue
			}
			k.flatten(at, v, depth+1)
		case []any:
			for _, one := range v {
				pair, ok := one.(map[string]any)
				if !ok {
					k.put(at, jsonstream.Text(v)) // the first in a list of texts
					break
				}
				if dataset, nested := pair["dataset"].(map[string]any); nested {
					k.put("dataset.name", jsonstream.Text(dataset["name"]))
					continue
				}
				if key := jsonstream.Text(pair["key"]); key != "" {
					k.put(at+"."+strings.ToLower(key), jsonstream.Text(pair["value"]))
				}
			}
		default:
			k.put(at, jsonstream.Text(v))
		}
	}
}

// first is the first of some members that has a value.
func (k known) first(names ...string) string {
	for _, name := range names {
		if v := records.Clean(k[name]); v != "" {
			return v
		}
	}
	return ""
}

func (p *parser) send() error {
	t := p.out
	p.out = &ledger.Telemetry{}
	if len(t.Segments) == 0 {
		return nil
	}
	return p.emit(t)
}
