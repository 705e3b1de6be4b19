package nvidiasmi

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"gpuledger/ingest/records"
	"gpuledger/ingest/series"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Options are facts that captured files lack.
type Options struct {
	Cluster string
	// Host is the machine, if the output does not name it; empty: the name of the file without its
	// extension.
	Host string
	Zone *time.Location // of its times; nil: UTC
	// At is the time of output without one; zero: such output is rejected.
	At time.Time
	// NotAfter is the first time that counts as future; zero: 2100.
	NotAfter   period.Second
	MaxPending int // see series.Collector.Pending; 0 = 65,536
}

func (o Options) zone() *time.Location {
	if o.Zone == nil {
		return time.UTC
	}
	return o.Zone
}

// Looks reports whether a file with this start is output of nvidia-smi.
func Looks(start []byte) bool {
	if bytes.IndexByte(start, 0) >= 0 {
		return false
	}
	if bytes.Contains(start, []byte("<nvidia_smi_log")) {
		return true
	}
	for line := range strings.Lines(string(start)) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "# $ nvidia-smi") || listGPU.MatchString(line) ||
			strings.HasPrefix(line, "| NVIDIA-SMI ") || strings.HasPrefix(line, "==============NVSMI LOG") {
			return true
		}
		if h, ok := headOf(line); ok {
			for name := range h.at {
				if strings.Contains(name, ".") || name == "gpu_uuid" || name == "pid" {
					return true
				}
			}
		}
	}
	return false
}

// Parse reads one captured file and emits its facts. Rejected rows are counted; an error
// refuses the file. Rows are values of GPUs and processes.
func Parse(
	ctx context.Context, in io.Reader, file string, opt Options, emit func(*ledger.Telemetry) error,
) (ledger.Reading, error) {
	if opt.MaxPending <= 0 {
		opt.MaxPending = 1 << 16
	}
	var read ledger.Reading
	to := series.NewCollector(series.Options{Cluster: opt.Cluster})
	known := bound{to: to, series: map[string]*series.Series{}}
	named := opt.Host != ""
	if !named {
		opt.Host = hostOf(file)
	}
	reject := func(line int64, reason, column, detail string) {
		read.Rows++
		read.Reject(ledger.Rejection{File: file, Line: line, Column: column, Reason: reason, Detail: detail})
	}
	r := &reader{zone: opt.zone(), found: func(line int64, p problem) {
		reject(line, p.reason, p.column, fmt.Sprintf("found %q", shorten(p.found)))
	}}
	r.emit = func(line int64, s *Snapshot) error {
		at := s.At
		if at.IsZero() {
			at = opt.At
		} else if opt.Zone == nil { // it never prints one
			read.Note(records.SamplesReadAsUTC, 1)
		}
		if at.IsZero() {
			reject(line, "no timestamp", "timestamp",
				"query the field timestamp too, use -q -x, which has it, or give the time of the output with --delivered-at")
			return nil
		}
		switch second := period.FromTime(at); {
		case second < series.DefaultNotBefore || second >= series.LatestTime:
			reject(line, "timestamp out of range", "timestamp",
				second.String()+" is outside the years 2010 to 2099; correct the clock of the machine and capture again")
			return nil
		case opt.NotAfter != 0 && second >= opt.NotAfter:
			reject(line, "time in the future", "timestamp",
				second.String()+" is ahead of this machine's clock; give the zone of its times with --time-zone, or "+
					"correct the clock")
			return nil
		}
		if s.Host == "" && !named {
			named = true
			read.Note("machine named after its file", 1)
		}
		s.Series(opt.Host, nil, func(name string, ls series.Labels, value series.Decimal) {
			read.Rows++
			bound := known.find(name, ls)
			if bound == nil {
				read.Ignore(name, 1)
				return
			}
			switch f := to.Add(bound, at.UnixMilli(), value); f {
			case nil:
				read.Accepted++
				if bound.Unlabelled {
					read.Unlabelled++
				}
			case series.Absent:
				read.Absent++
			case series.Unmapped:
				read.Ignore(name, 1)
			default:
				read.Reject(ledger.Rejection{File: file, Line: line, Column: f.Column, Reason: f.Reason, Detail: f.Detail})
			}
		})
		if to.Pending() < opt.MaxPending {
			return nil
		}
		return to.Flush(emit)
	}
	if err := r.run(ctx, in); err != nil {
		return read, fmt.Errorf("read %s: %w", file, err)
	}
	read.Note("line of another output", r.counts.Other)
	return read, to.Flush(emit)
}

// bound caches series, so that a log of one machine binds each once.
type bound struct {
	to     *series.Collector
	series map[string]*series.Series
	key    []byte
}

// maxBound bounds the cache.
const maxBound = 1 << 14

func (b *bound) find(name string, ls series.Labels) *series.Series {
	b.key = append(b.key[:0], name...)
	for _, l := range ls {
		b.key = append(append(append(append(b.key, 0), l.Name...), 1), l.Value...)
	}
	if s, ok := b.series[string(b.key)]; ok {
		return s
	}
	if len(b.series) >= maxBound {
		clear(b.series)
	}
	s := b.to.Bind(name, ls)
	b.series[string(b.key)] = s
	return s
}

// hostOf is the name of a file without folder and known extensions.
func hostOf(file string) string {
	name := path.Base(strings.ReplaceAll(file, "\\", "/"))
	for _, end := range []string{".gz", ".zst", ".xml", ".csv", ".txt", ".log", ".out"} {
		name = strings.TrimSuffix(name, end)
	}
	return name
}

func shorten(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
