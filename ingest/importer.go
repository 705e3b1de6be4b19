package ingest

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/openmetrics"
	"gpuledger/ingest/series"
	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Request describes an import.
type Request struct {
	Source  string         // one of Sources
	URIs    []string       // files and directories
	Cluster string         // of telemetry; empty: its label cluster, else "default"
	Zone    *time.Location // of telemetry whose times have none; nil: UTC
	// DeliveredAt is the delivery time of a bill, or the time of telemetry whose rows have none;
	// nil: as the files state.
	DeliveredAt *period.Second
	// Hints are facts that files of bills may lack.
	Hints bill.Hints
	// KeepEverything stages lines outside the GPU fleet one by one instead of aggregated (rule
	// 8.19).
	KeepEverything bool
	// Prefer names exports that become the book when ranks are equal, the most preferred first.
	Prefer []string
	// Select leaves out files for which it is false; nil: all are taken.
	Select func(blob.File) bool
	// Listing is this request's listing, from List; nil: Import makes it.
	Listing *Listing
	// UserKey returns the key for hashing the users of LLM gateways; nil: users are dropped.
	UserKey func() ([]byte, error)
	// Stores reach remote URIs, by scheme; nil: local files only.
	Stores blob.Stores
	// Series configures facts that series lack; its Cluster is the request's.
	Series series.Options
	// SimulatedUntil is the clock of the simulation that wrote the files, if it is ahead of
	// Importer.Now; nil: nothing is simulated.
	SimulatedUntil *period.Second
	// Query is the query of a query API; only for source prometheus.
	Query Query
}

// Importer takes files into a Store.
type Importer struct {
	Store    Store
	Now      func() time.Time
	Progress func(Progress) // may be nil
	// Parsers is how many files are read at once; 0 = 2.
	Parsers int
}

// finishTimeout bounds the journal entry of an import whose context ended.
const finishTimeout = 10 * time.Second

// Import runs a request. The error is not nil whenever anything was refused or rejected (a
// *RefusedError names file, line, column and reason); the summary is still complete then. The
// summary is nil only if the request itself was invalid.
func (im *Importer) Import(ctx context.Context, req Request) (*Summary, error) {
	if !slices.Contains(Sources, req.Source) {
		return nil, fmt.Errorf("unknown source %q; use one of %s", req.Source, strings.Join(Sources, ", "))
	}
	if len(req.URIs) == 0 {
		return nil, errors.New("nothing to import: give a file or a directory")
	}
	if err := req.Hints.Check(); err != nil {
		return nil, err
	}
	if req.Source == SourcePrometheus { // it has no files
		return im.importSource(ctx, req.Source, req, nil, nil, nil)
	}
	var files []candidateFile
	listing := req.Listing
	if listing == nil {
		var err error
		if listing, err = List(ctx, req); err != nil {
			return nil, err
		}
	}
	if len(listing.byURI) != len(req.URIs) {
		return nil, errors.New("the listing belongs to another request")
	}
	taken := func(f blob.File) bool { return req.Select == nil || req.Select(f) }
	var seen sights
	for i, uri := range req.URIs {
		found := listing.byURI[i]
		seen.see(uri, found, taken)
		for _, f := range found {
			if !taken(f) {
				continue
			}
			files = append(files, candidateFile{
				File: f, uri: uri, named: len(found) == 1 && f.Name == f.Base() &&
					strings.HasSuffix(strings.TrimRight(uri, "/"), f.Name),
			})
		}
	}
	files = distinct(files)
	bySource, skipped, err := sortFiles(req.Source, files)
	if err != nil {
		return nil, err
	}
	if len(bySource) == 0 {
		return nil, nothingOf(req.Source, shownURIs(req.URIs), len(files), skipped)
	}
	total := newSummary(req.Source)
	ignored := skippedNotes(skipped)
	var errs []error
	for _, source := range Sources {
		if len(bySource[source]) == 0 {
			continue
		}
		for _, files := range lots(source, bySource[source]) {
			one, err := im.importSource(ctx, source, req, files, ignored, seen.look)
			if one != nil {
				total.add(one)
			}
			if err != nil {
				errs = append(errs, err)
			}
			ignored = nil // counted with the first
		}
		if ctx.Err() != nil {
			break
		}
	}
	return total, errors.Join(errs...)
}

// shownURIs are the URIs without secrets, for showing and storing.
func shownURIs(uris []string) []string {
	shown := make([]string, len(uris))
	for i, uri := range uris {
		shown[i] = blob.Redact(uri)
	}
	return shown
}

// distinct drops files that were found through more than one URI.
func distinct(files []candidateFile) []candidateFile {
	seen := map[string]bool{}
	out := files[:0]
	for _, f := range files {
		if !seen[f.Path] {
			seen[f.Path] = true
			out = append(out, f)
		}
	}
	return out
}

// run is one import of one source.
type run struct {
	im    *Importer
	req   Request
	files []candidateFile
	look  func(place string) Sight // of bills
	rec   ImportRecord
	tally ledger.Tally
	sum   *Summary
	// kept: a part is published already and stays, whatever follows.
	kept bool
	days days // of accepted facts; written by one goroutine

	progress *tracker
}

func (im *Importer) importSource(
	ctx context.Context, source string, req Request, files []candidateFile,
	ignored map[string]int64, look func(string) Sight,
) (*Summary, error) {
	r := &run{im: im, req: req, files: files, look: look, sum: newSummary(source)}
	started := im.Now()
	r.rec = ImportRecord{
		Source: source, URI: strings.Join(shownURIs(req.URIs), " "),
		State: ImportRunning, StartedAt: started, Files: len(files),
	}
	r.rec.ID = ledger.NewID("import", source, r.rec.URI, started.UTC().Format(time.RFC3339Nano), rand.Text())
	if telemetryFormatOf(source) != nil || source == SourcePrometheus {
		r.rec.Cluster = req.Cluster
	}
	for reason, n := range ignored {
		r.tally.Note(reason, n)
	}
	for _, f := range files {
		r.rec.Bytes += f.Size
	}
	r.progress = newTracker(im, r.rec, r.files)
	if err := im.Store.StartImport(ctx, r.rec); err != nil {
		return nil, fmt.Errorf("start import of %s: %w", source, err)
	}
	r.progress.start(ctx)
	err := r.dispatch(ctx)
	if note := r.progress.stop(); note != nil { // the pages lack it, the ledger does not
		r.tally.Note("progress could not be recorded: "+note.Error(), 1)
	}
	return r.finish(ctx, err)
}

func (r *run) dispatch(ctx context.Context) error {
	if format := billFormat(r.rec.Source); format != nil {
		return r.bill(ctx, format)
	}
	if r.files != nil && r.files[0].results {
		return r.results(ctx)
	}
	if format := telemetryFormatOf(r.rec.Source); format != nil {
		return r.telemetry(ctx, format)
	}
	switch r.rec.Source {
	case SourceSpotEvents:
		return r.spotEvents(ctx)
	case SourceLLMUsage:
		return r.llmUsage(ctx)
	case SourcePriceBook:
		return r.priceBook(ctx)
	case SourcePublicPrices:
		return r.publicPrices(ctx)
	case SourceBudgets:
		return r.budgets(ctx)
	case SourceAnnotations:
		return r.annotations(ctx)
	case SourcePrometheus:
		return r.backfill(ctx)
	}
	return fmt.Errorf("unknown source %q", r.rec.Source)
}

// refuse counts the refusal of a file if err means that the file cannot be read. Errors of the
// stage and of the context pass through.
func (r *run) refuse(file string, err error) error { return refuseIn(&r.tally, file, err) }

// refuseIn is refuse into another tally.
func refuseIn(tally *ledger.Tally, file string, err error) error {
	var fe *ledger.FileError
	switch {
	case errors.As(err, &fe):
		tally.Refuse(fe.Rejection)
	case errors.Is(err, errStopped), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, blob.ErrTruncated), errors.Is(err, openmetrics.ErrTruncated):
		tally.Refuse(ledger.Rejection{File: file, Reason: "truncated file", Detail: because(file, err)})
	case errors.Is(err, blob.ErrDamaged):
		tally.Refuse(ledger.Rejection{File: file, Reason: "damaged file", Detail: because(file, err)})
	default:
		tally.Refuse(ledger.Rejection{File: file, Reason: "unreadable file", Detail: because(file, err)})
	}
	return nil
}

// because is the text of a file's error, without the parts that a rejection already has.
func because(file string, err error) string {
	text := strings.TrimPrefix(err.Error(), "read "+file+": ")
	return strings.TrimPrefix(text, "the file is truncated: ")
}

// errRejected ends a run whose rejections are in the tally.
var errRejected = errors.New("rejected")

// refusedImport is the reason for good rows of an import that is refused as a whole.
const refusedImport = "in a refused import"

// finish writes the journal entry, and makes the summary and the error agree with it.
func (r *run) finish(ctx context.Context, cause error) (*Summary, error) {
	rec, s := &r.rec, r.sum
	// Files are read in parallel: their rejections arrived in any order.
	slices.SortStableFunc(r.tally.First, func(a, b ledger.Rejection) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	rec.FinishedAt = r.im.Now()
	rec.FilesDone, rec.BytesDone = r.progress.ended()
	if cause != nil && !r.kept { // no row that was read counts
		rec.Accepted = 0
		r.tally.Ignore(refusedImport, max(rec.RowsRead-r.tally.RejectedRows()-r.tally.IgnoredRows(), 0))
	}
	rec.Rejected, rec.RejectedByReason, rec.Rejections = r.tally.RejectedRows(), r.tally.Rejected, r.tally.First
	rec.Ignored, rec.IgnoredByReason = r.tally.IgnoredRows(), r.tally.Ignored
	rec.Refused, rec.RefusedByReason = r.tally.Refusals(), r.tally.Refused
	var refused *RefusedError
	switch {
	case cause != nil:
		if rec.State = ImportPublished; !r.kept {
			rec.State = ImportRefused
		}
		s.Deliveries, s.ControlTotals = []PublishedDelivery{}, []ControlTotal{}
		refused = &RefusedError{
			Source: rec.Source, Whole: !r.kept, Rejected: rec.Rejected,
			Refused: rec.Refused, First: showRejections(r.tally.First),
		}
		if !errors.Is(cause, errRejected) {
			refused.Cause = cause
		}
	case r.tally.Faulty():
		refused = &RefusedError{
			Source: rec.Source, Rejected: rec.Rejected, Refused: rec.Refused, First: showRejections(r.tally.First),
		}
	}
	if refused != nil {
		rec.Message = refused.brief()
	}
	s.State, s.Files, s.Bytes, s.RowsRead = rec.State, rec.Files, rec.Bytes, rec.RowsRead
	s.Accepted, s.Rejected, s.Ignored, s.Refused, s.Message = rec.Accepted, rec.Rejected, rec.Ignored, rec.Refused,
		rec.Message
	s.Rejections, s.NotedByReason = showRejections(r.tally.First), r.tally.Noted
	for _, reasons := range []map[string]int64{rec.RejectedByReason, rec.RefusedByReason} {
		for reason, n := range reasons {
			s.RejectedByReason[reason] += n
		}
	}
	if rec.IgnoredByReason != nil {
		s.IgnoredByReason = rec.IgnoredByReason
	}
	if cause == nil || r.kept {
		s.days = r.days
		s.Days = s.days.String()
	}
	s.Seconds = rec.FinishedAt.Sub(rec.StartedAt).Seconds()
	s.Imports = append(s.Imports, rec.ID)
	journal, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishTimeout)
	defer cancel()
	var failed error
	if err := r.im.Store.FinishImport(journal, *rec); err != nil {
		failed = fmt.Errorf("record import of %s: %w", rec.Source, err)
	}
	switch {
	case refused == nil:
		return s, failed
	case failed == nil:
		return s, refused
	}
	return s, errors.Join(refused, failed)
}

func (r *run) parsers() int {
	if r.im.Parsers > 0 {
		return r.im.Parsers
	}
	return 2
}
