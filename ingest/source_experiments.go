package ingest

import (
	"context"
	"fmt"

	"gpuledger/ingest/experiments"
	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
)

// results imports experiment results. All of them are held in memory: people and trackers write
// a few per experiment.
func (r *run) results(ctx context.Context) error {
	r.phase("read")
	var all []ledger.ExperimentResult
	broken := false
	for _, f := range r.files {
		var read ledger.Reading
		err := r.open(f.File, func(in *blob.Reader) (err error) {
			read, err = experiments.Parse(ctx, in, f.Name, experiments.Options{Zone: r.req.Zone},
				func(e *ledger.ExperimentResult) error {
					all = append(all, *e)
					return nil
				})
			return err
		})
		r.rec.RowsRead += read.Rows
		r.rec.Accepted += read.Accepted
		r.tally.Merge(&read.Tally)
		if err != nil {
			if err = r.refuse(f.Name, err); err != nil {
				return err
			}
			broken = true
		}
		r.fileDone(f.File)
	}
	if broken {
		return errRejected
	}
	if err := r.nothing(); err != nil {
		return err
	}
	r.phase("publish")
	fresh, err := r.im.Store.PublishResults(ctx, r.rec.ID, all)
	if err != nil {
		return fmt.Errorf("publish results: %w", err)
	}
	if r.rec.State = ImportPublished; fresh == 0 {
		r.rec.State = ImportUnchanged
	}
	r.tally.Note("result known before", r.rec.Accepted-fresh)
	return nil
}

// lots splits a source's files into groups that are imported together: for experiments, results
// separately from records of runs.
func lots(source string, files []candidateFile) [][]candidateFile {
	if source != SourceExperiments {
		return [][]candidateFile{files}
	}
	var results, records []candidateFile
	for _, f := range files {
		if f.results {
			results = append(results, f)
		} else {
			records = append(records, f)
		}
	}
	var out [][]candidateFile
	for _, lot := range [][]candidateFile{records, results} {
		if len(lot) > 0 {
			out = append(out, lot)
		}
	}
	return out
}

// namedResults reports whether a file that was named as experiments is meant to hold results.
func namedResults(f blob.File) bool {
	head, err := f.Head(headBytes)
	return err == nil && experiments.Looks(head)
}
