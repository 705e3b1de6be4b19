package slurm

import (
	"cmp"
	"slices"

	"gpuledger/ingest/records"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// maxHeld bounds the lives that are kept to find those of one job. Exports are ordered by job,
// so keeping the last job at the bound splits none.
const maxHeld = 1 << 16

// batchSize is how many workloads are emitted at once.
const batchSize = 4096

// collector makes facts of the records of one file.
type collector struct {
	file string
	opt  Options
	emit func(*ledger.Telemetry) error
	read ledger.Reading
	meta string // cluster that the file names for all jobs

	held     []*record
	coverage map[string]*coverage // by the cluster in rows, "" if they have none
	lastJob  string               // of the newest record, for its steps
	lastEnd  period.Second
	out      *ledger.Telemetry
}

// coverage is the time that the accounting of a cluster covers. sacct lists the jobs of a
// period that it does not print. Jobs that ended before it are missing, so it begins at the
// latest when the first listed job ended, and ends at the newest known instant.
type coverage struct {
	firstEnd period.Second // 0: no job ended
	seen     period.Second // the latest instant at which jobs were known to run
	last     period.Second
}

func newCollector(file string, o Options, emit func(*ledger.Telemetry) error) *collector {
	return &collector{file: file, opt: o, emit: emit, coverage: map[string]*coverage{}, out: &ledger.Telemetry{}}
}

// tomorrow is how far ahead of the reader's clock a time may be: clusters in other zones write
// times without one.
const tomorrow = period.Day

// add takes a record: a job's life is kept; a step only has its end checked.
func (c *collector) add(r *record) error {
	if r.id.step != "" {
		c.read.Ignore("step of a job", 1)
		if r.end > 0 && r.id.job() == c.lastJob {
			c.stepEndAfter(r.end)
		}
		return nil
	}
	c.lastJob, c.lastEnd = r.id.job(), r.end
	for _, at := range []struct {
		name string
		time period.Second
	}{{"Submit", r.submit}, {"Start", r.start}, {"End", r.end}} {
		if c.opt.Now > 0 && at.time > c.opt.Now+tomorrow {
			c.read.Reject(ledger.Rejection{
				File: c.file, Line: r.line, Column: at.name, Reason: "time in the future", Detail: at.time.String(),
			})
			return nil
		}
	}
	if why := period.Impossible(r.submit, r.start, r.end, r.seen()); why != "" {
		c.read.Reject(ledger.Rejection{
			File: c.file, Line: r.line, Column: "Elapsed, Submit, Start, End", Reason: "impossible time", Detail: why,
		})
		return nil
	}
	r.cluster = records.Clean(r.cluster)
	c.cover(r)
	if r.resources && r.alloc.none() && (r.req.none() || r.state.phase != waiting && r.start > 0) {
		c.read.Ignore("job without GPUs", 1)
		return nil
	}
	c.read.Accepted++
	c.held = append(c.held, r)
	if len(c.held) < maxHeld {
		return nil
	}
	// The newest job may continue in the next rows.
	keep := len(c.held)
	for keep > 0 && len(c.held)-keep < maxHeld/2 && c.held[keep-1].number() == r.number() {
		keep--
	}
	rest := slices.Clone(c.held[keep:])
	c.held = c.held[:keep]
	err := c.flush()
	c.held = rest
	return err
}

// stepEnd notes a step of r that ends after r.
func (c *collector) stepEnd(r *record, end period.Second) {
	c.lastJob, c.lastEnd = r.id.job(), r.end
	c.stepEndAfter(end)
}

// stepEndAfter notes that a step outlived its job, as cancelled ones do. The
// job's resources are free when the job ends.
func (c *collector) stepEndAfter(end period.Second) {
	if c.lastEnd > 0 && end > c.lastEnd {
		c.read.Note("step that ends after its job", 1)
	}
}

// clusterOf is the cluster of a job: the job's own, the file's, or the request's.
func (c *collector) clusterOf(own string) string {
	return cmp.Or(own, c.meta, c.opt.Cluster, defaultCluster)
}

// finish emits the held records.
func (c *collector) finish() error {
	if err := c.flush(); err != nil {
		return err
	}
	for cluster, cover := range c.coverage {
		c.out.Sources = append(c.out.Sources, cover.hours(c.clusterOf(cluster))...)
	}
	slices.SortFunc(c.out.Sources, func(a, b ledger.SourceHour) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Hour, b.Hour))
	})
	return c.send()
}

func (c *collector) send() error {
	t := c.out
	c.out = &ledger.Telemetry{}
	if len(t.Workloads) == 0 && len(t.Sources) == 0 {
		return nil
	}
	return c.emit(t)
}

// flush turns the held records into facts.
func (c *collector) flush() error {
	jobs := map[[2]string][]*record{}
	var order [][2]string
	for _, r := range c.held {
		if r.cluster == "" && c.meta == "" && c.opt.Cluster == "" {
			c.read.Unlabelled++
		}
		r.cluster = c.clusterOf(r.cluster)
		key := [2]string{r.cluster, r.number()}
		if jobs[key] == nil {
			order = append(order, key)
		}
		jobs[key] = append(jobs[key], r)
	}
	c.held = nil
	for _, key := range order {
		c.lives(jobs[key])
		if len(c.out.Workloads) >= batchSize {
			if err := c.send(); err != nil {
				return err
			}
		}
	}
	return nil
}

// cover extends the covered time by a record.
func (c *collector) cover(r *record) {
	cover := c.coverage[r.cluster]
	if cover == nil {
		cover = &coverage{}
		c.coverage[r.cluster] = cover
	}
	r.covered = cover
	cover.seen = max(cover.seen, r.seen())
	cover.last = max(cover.last, r.submit, r.start, r.end, r.seen())
	if r.state.phase == ended && r.end > 0 && (cover.firstEnd == 0 || r.end < cover.firstEnd) {
		cover.firstEnd = r.end
	}
}

// seen is when a running job was last known to run, 0 if its source does not give its elapsed
// time.
func (r *record) seen() period.Second {
	if r.state.phase == running && r.start > 0 && r.elapsed >= 0 {
		return r.start + period.Second(r.elapsed)
	}
	return 0
}

// maxCovered bounds the hours of coverage of one file, some five years.
const maxCovered = 5 * 366 * 24

// hours lists the covered minutes. If no job ended (squeue), the running jobs were seen at one
// instant.
func (c *coverage) hours(cluster string) []ledger.SourceHour {
	from := c.firstEnd.Floor(period.Minute)
	if c.firstEnd == 0 {
		from, c.last = c.seen.Floor(period.Minute), c.seen
	}
	if c.last == 0 {
		return nil
	}
	from = max(from, c.last.Floor(period.Hour)-maxCovered*period.Hour)
	var out []ledger.SourceHour
	for hour := from.Floor(period.Hour); hour <= c.last; hour += period.Hour {
		h := ledger.SourceHour{Cluster: cluster, Source: ledger.SourceSlurm, Hour: hour}
		for m := range 60 {
			if at := hour + period.Second(m)*period.Minute; at >= from && at <= c.last {
				h.Minutes |= 1 << m
			}
		}
		out = append(out, h)
	}
	return out
}

// lives turns the lives of one job, or of jobs that got one number in succession, into facts.
func (c *collector) lives(rows []*record) {
	slices.SortStableFunc(rows, func(a, b *record) int {
		return cmp.Or(cmp.Compare(a.submit, b.submit), cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end),
			cmp.Compare(a.line, b.line))
	})
	restarts := c.restartsTell(rows)
	for from := 0; from < len(rows); {
		to, last, open := from+1, rows[from].end, rows[from].end == 0
		for to < len(rows) && (open || !again(last, rows[to])) {
			last, open = max(last, rows[to].end), open || rows[to].end == 0
			to++
		}
		run := rows[from:to]
		several := slices.ContainsFunc(run, func(r *record) bool { return r.submit != run[0].submit })
		attempt := int64(0)
		for i, r := range run {
			if i == 0 || !repeats(run[i-1], r) && !run[i-1].state.resized {
				attempt++
			}
			number := int64(0)
			switch {
			case restarts:
				number = r.restarts + 1
			case several || attempt > 1:
				number = attempt
			}
			part := i > 0 && r.submit == run[i-1].submit && r.start != run[i-1].start
			c.life(r, run[0].submit, number, part)
		}
		from = to
	}
}

// sameRun is how long after the end of a life its successor may be submitted
// (docs/rules.md 6.3).
const sameRun = 300

// again reports whether next is another job with a reused number: all lives of the earlier job
// had ended by last.
func again(last period.Second, next *record) bool { return next.submit > last+sameRun }

// repeats reports whether two rows describe one life.
func repeats(a, b *record) bool { return a.submit == b.submit && a.start == b.start }

// restartsTell reports whether the source counts restarts, with different counts for different
// lives.
func (c *collector) restartsTell(rows []*record) bool {
	byCount := map[int64]*record{}
	for _, r := range rows {
		if r.restarts < 0 {
			return false
		}
		if other := byCount[r.restarts]; other != nil && !repeats(other, r) && !other.state.resized &&
			(other.end == 0 || !again(other.end, r)) {
			return false
		}
		byCount[r.restarts] = r
	}
	return slices.ContainsFunc(rows, func(r *record) bool { return r.restarts > 0 })
}

// dropEmpty removes labels without a value.
func dropEmpty(labels map[string]string) map[string]string {
	for key, value := range labels {
		if labels[key] = records.Clean(value); labels[key] == "" {
			delete(labels, key)
		}
	}
	return labels
}
