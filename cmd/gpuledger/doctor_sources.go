package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gpuledger/ingest"
	"gpuledger/internal/config"
	"gpuledger/internal/store"
	"gpuledger/web/views/format"
)

// probeTimeout bounds the probe of one source.
const probeTimeout = 30 * time.Second

// Levels of findings: a hint means missing figures, not wrong ones; check
// makes the command fail.
const (
	fine  = "ok"
	hint  = "hint"
	check = "check"
)

// report prints one finding.
type report func(level, name, format string, args ...any)

// exports reports the gaps of the imported exports.
func (c *doctorCmd) exports(a *app, s *store.Store, say report) error {
	all, err := s.ExportFacts(a.ctx)
	if err != nil || len(all) == 0 {
		return err
	}
	for _, e := range all {
		faults := advice(e, all)
		if len(faults) == 0 {
			say(fine, "export", "%s, %s: complete", e.Export, e.Partition)
		}
		for _, f := range faults {
			say(hint, "export", "%s, %s: %s", e.Export, e.Partition, f)
		}
	}
	return nil
}

// sources reports whether the configured sources can be listed and read, and the result of
// their last import; without a store, there was none.
func (c *doctorCmd) sources(a *app, s *store.Store, cfg *config.Config, say report) error {
	for _, src := range cfg.Sources {
		var last ingest.SourceState
		if s != nil {
			var err error
			if last, err = s.SourceState(a.ctx, src.Name); err != nil {
				return err
			}
		}
		found, err := c.probe(a, cfg, src)
		if err != nil {
			say(check, "source", "%s: %v", src.Name, err)
			continue
		}
		if last.Message != "" {
			level := hint // a part was rejected, the rest published
			if last.State == ingest.SourceFailed || last.State == string(ingest.ImportRefused) {
				level = check
			}
			say(level, "source", "%s: %s; the import at %s: %s: %s", src.Name, found, last.LookedAt.UTC().Format(time.RFC3339),
				last.State, last.Message)
			continue
		}
		if last.State == "" {
			last.State = "never imported"
		}
		say(fine, "source", "%s: %s; last: %s", src.Name, found, last.State)
	}
	return nil
}

// probe lists a source and reads one byte of its first file, which takes the
// same permissions as an import. Days of a BigQuery table are only listed: reading
// one is a query that costs money.
func (c *doctorCmd) probe(a *app, cfg *config.Config, src config.Source) (found string, err error) {
	ctx, cancel := context.WithTimeout(a.ctx, probeTimeout)
	defer cancel()
	req, err := a.request(cfg, src)
	if err != nil {
		return "", err
	}
	if src.Source == ingest.SourcePrometheus {
		return a.probeQuery(ctx, src, req)
	}
	l, err := ingest.List(ctx, req)
	if err != nil {
		return "", err
	}
	var bytes int64
	for _, f := range l.Files {
		bytes += f.Size
	}
	if len(l.Files) > 0 && !strings.HasPrefix(l.Files[0].Path, "bq://") {
		if _, err := l.Files[0].Head(1); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%s, %s", format.Plural(len(l.Files), "file", "files"), size(bytes)), nil
}
