package ingest

import (
	"context"
	"sync"
	"time"

	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
)

// Progress is reported during an import, from one goroutine at a time.
type Progress struct {
	Source      string
	Phase       string // "survey", "read" or "publish"
	PhaseNumber int    // from 1
	Phases      int    // of this source
	PhaseStart  time.Time
	File        string // finished last
	Unit        string // of Files; empty: files
	Files       int
	FilesDone   int   // in this phase
	Bytes       int64 // stored bytes of all files, which reading phases go through
	BytesDone   int64 // of Bytes in this phase; 0 while publishing
	Rows        int64 // staged so far
	PhaseRows   int64 // of Rows in this phase
}

// ReadsFiles reports whether the phase goes through Bytes.
func (p Progress) ReadsFiles() bool { return p.Phase != phasePublish }

const (
	phasePublish = "publish"
	saveEvery    = time.Second
	reportEvery  = 100 * time.Millisecond // between reports of only bytes
)

// tracker counts the progress of an import and reports it to Importer.Progress and, at most
// once a second, to the store.
type tracker struct {
	im  *Importer
	rec ledger.ID

	mu       sync.Mutex
	now      Progress
	reading  map[string]int64 // bytes read of the files under way
	finished map[string]bool  // files of this phase
	whole    map[string]int64 // sizes of the files that a phase has read to their end
	done     int64            // bytes of finished ones
	reported time.Time
	saved    time.Time
	saving   bool
	save     func(Progress) // nil before start and after stop
	failed   error          // of saving, the first

	group sync.WaitGroup
}

// newTracker meters files; it knows the number of phases of their source.
func newTracker(im *Importer, rec ImportRecord, files []candidateFile) *tracker {
	t := &tracker{im: im, rec: rec.ID, reading: map[string]int64{}, finished: map[string]bool{}, whole: map[string]int64{},
		now: Progress{Source: rec.Source, Files: rec.Files, Bytes: rec.Bytes, Phases: phasesOf(rec.Source)}}
	for i := range files {
		path, size := files[i].Path, files[i].Size
		files[i].File = files[i].Metered(&blob.Meter{Add: func(n int64) { t.bytes(path, size, n) }})
	}
	return t
}

// phasesOf counts the phases: bills are surveyed before they are read.
func phasesOf(source string) int {
	switch {
	case source == SourcePrometheus, source == SourceLLMUsage: // stored as they are read
		return 1
	case telemetryFormatOf(source) != nil, source == SourceSpotEvents, source == SourcePriceBook,
		source == SourcePublicPrices, source == SourceBudgets, source == SourceAnnotations:
		return 2
	}
	return 3
}

func (t *tracker) start(ctx context.Context) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.save = func(p Progress) {
		defer t.group.Done()
		err := t.im.Store.SaveProgress(ctx, t.rec, p)
		t.mu.Lock()
		defer t.mu.Unlock()
		t.saving = false
		if err != nil && t.failed == nil && ctx.Err() == nil {
			t.failed = err
		}
	}
}

// stop waits for the last save and returns the first error of any save.
func (t *tracker) stop() error {
	t.mu.Lock()
	t.save = nil
	t.mu.Unlock()
	t.group.Wait()
	return t.failed
}

// bytes counts n stored bytes of a file; no more than its size, however often parts of it are
// read.
func (t *tracker) bytes(path string, size, n int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.finished[path] {
		return
	}
	t.reading[path] = min(t.reading[path]+n, size)
	if now := t.im.Now(); now.Sub(t.reported) >= reportEvery {
		t.report(now)
	}
}

func (t *tracker) change(f func(p *Progress)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f(&t.now)
	t.report(t.im.Now())
}

// report reports the progress. The caller holds the lock.
func (t *tracker) report(now time.Time) {
	t.reported = now
	t.now.BytesDone = t.done
	for _, n := range t.reading {
		t.now.BytesDone += n
	}
	if t.im.Progress != nil {
		t.im.Progress(t.now)
	}
	if t.save != nil && !t.saving && now.Sub(t.saved) >= saveEvery {
		t.saving, t.saved = true, now
		t.group.Add(1)
		go t.save(t.now)
	}
}

// phase starts a phase of the progress report.
func (r *run) phase(name string) {
	t := r.progress
	t.change(func(p *Progress) {
		*p = Progress{Source: p.Source, Phases: p.Phases, Unit: p.Unit, Files: p.Files, Bytes: p.Bytes, Rows: p.Rows,
			Phase: name, PhaseNumber: p.PhaseNumber + 1, PhaseStart: t.im.Now()}
		t.done = 0
		clear(t.reading)
		clear(t.finished)
	})
}

// ended counts the files that were read to their end, in whatever phase, and their bytes.
func (t *tracker) ended() (files int, bytes int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, size := range t.whole {
		bytes += size
	}
	return len(t.whole), bytes
}

func (r *run) fileDone(f blob.File) {
	t := r.progress
	t.change(func(p *Progress) {
		t.whole[f.Path] = f.Size
		p.File, p.FilesDone = f.Name, p.FilesDone+1
		if !t.finished[f.Path] {
			t.finished[f.Path] = true
			t.done += f.Size
			delete(t.reading, f.Path)
		}
	})
}

func (r *run) rowsDone(n int64) {
	r.progress.change(func(p *Progress) { p.Rows, p.PhaseRows = p.Rows+n, p.PhaseRows+n })
}
