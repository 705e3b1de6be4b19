package outgoing

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"gpuledger/internal/blob"
	"gpuledger/internal/export"
	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// Cadence is how often a schedule exports, in UTC.
type Cadence string

// Cadences. Weeks begin on Monday.
const (
	Hourly  Cadence = "hourly"
	Daily   Cadence = "daily"
	Weekly  Cadence = "weekly"
	Monthly Cadence = "monthly"
)

// Cadences lists all cadences.
var Cadences = []Cadence{Hourly, Daily, Weekly, Monthly}

// Tick is the newest scheduled time up to an instant.
func (c Cadence) Tick(at time.Time) time.Time {
	at = at.UTC()
	day := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
	switch c {
	case Hourly:
		return day.Add(time.Duration(at.Hour()) * time.Hour)
	case Weekly:
		return day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
	case Monthly:
		return day.AddDate(0, 0, 1-day.Day())
	}
	return day
}

// Next is the first scheduled time after a tick.
func (c Cadence) Next(tick time.Time) time.Time {
	switch c {
	case Hourly:
		return tick.Add(time.Hour)
	case Weekly:
		return tick.AddDate(0, 0, 7)
	case Monthly:
		return tick.AddDate(0, 1, 0)
	}
	return tick.AddDate(0, 0, 1)
}

// Bounds of a schedule.
const (
	MostMonths     = 120
	StandardMonths = 3
	longestTarget  = 2000
)

// Schedule exports the newest months of a dataset again and again, each to its folder below the target.
type Schedule struct {
	Name     string
	Dataset  string
	Options  metrics.Options // only those of OptionNames
	Format   export.Format
	ForExcel bool
	Target   string // URI of a folder, without secrets
	Every    Cadence
	Months   int // newest months with bills that a run exports
	Keep     int // months that stay at the target; 0: all
}

var scheduleName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// Question is what a run of the schedule exports of a month.
func (s Schedule) Question(month period.Month) Question {
	return Question{Dataset: s.Dataset, Month: month, Options: s.Options, Format: s.Format, ForExcel: s.ForExcel}
}

// anyMonth stands for the months of a schedule where only the form of its question matters.
const anyMonth period.Month = "2026-01"

// Local reports whether the target is a folder of the machine that the server runs on.
func (s Schedule) Local() bool {
	scheme, _, remote := strings.Cut(s.Target, "://")
	return !remote || scheme == "file"
}

// Folder is the target in one spelling.
func (s Schedule) Folder() string { return strings.TrimRight(blob.Place(s.Target), "/") }

// Apart refuses a schedule whose target is that of another one: each would find the other's months, and refuse or
// delete them.
func (s Schedule) Apart(others []Schedule) error {
	for _, o := range others {
		if o.Name != s.Name && o.Folder() == s.Folder() {
			return &metrics.OptionError{Option: "to", Value: blob.Redact(s.Target), Reason: fmt.Sprintf(
				"is the folder of the schedule %s, and one folder takes one schedule: name another folder, such as %s/%s, or "+
					"remove that schedule", o.Name, s.Folder(), s.Name)}
		}
	}
	return nil
}

// RunState is the outcome of a run.
type RunState string

// States of runs.
const (
	Running RunState = "running"
	Done    RunState = "done"
	Failed  RunState = "failed"
)

// Run is one scheduled time of a schedule and its outcome.
type Run struct {
	Name      string
	Tick      time.Time
	Tries     int
	StartedAt time.Time
	EndedAt   *time.Time
	State     RunState
	Error     string // empty unless it failed
	Totals
}

// Totals count the files of one export, or of several.
type Totals struct {
	Written int64 // files, manifests left out
	Kept    int64 // files that were there already, with the same content
	Removed int64 // files that were replaced or too old
	Rows    int64
	Bytes   int64
}

// Add adds the totals of another export.
func (t *Totals) Add(o Totals) {
	t.Written, t.Kept, t.Removed = t.Written+o.Written, t.Kept+o.Kept, t.Removed+o.Removed
	t.Rows, t.Bytes = t.Rows+o.Rows, t.Bytes+o.Bytes
}

// Stored is a schedule in the database, with its newest run.
type Stored struct {
	Schedule
	ChangedAt time.Time
	ChangedBy string
	Done      *time.Time // newest scheduled time whose run is done; nil: none
	Last      *Run       // nil: none yet
}

// waits between the tries of a scheduled time: doubled from the first to the last.
const (
	firstWait   = time.Minute
	longestWait = time.Hour
)

// Due is the scheduled time that a run is due for at an instant; due is false if the schedule has to wait. A failed run
// is tried again after growing pauses.
func (s *Stored) Due(now time.Time) (tick time.Time, due bool) {
	tick = s.Every.Tick(now)
	if s.Done != nil && !s.Done.Before(tick) {
		return tick, false
	}
	if again, failed := s.again(tick); failed {
		return tick, !now.Before(again)
	}
	return tick, true
}

// again is when a run of a scheduled time is tried again; failed is false if its last try did not fail.
func (s *Stored) again(tick time.Time) (at time.Time, failed bool) {
	r := s.Last
	if r == nil || !r.Tick.Equal(tick) || r.State != Failed || r.EndedAt == nil {
		return at, false
	}
	wait := longestWait
	if r.Tries < 7 { // 2^6 minutes are more than an hour
		wait = min(firstWait<<(max(r.Tries, 1)-1), longestWait)
	}
	return r.EndedAt.Add(wait), true
}

// Next is when the schedule runs next; of a failed run it is the next try.
func (s *Stored) Next(now time.Time) time.Time {
	tick, due := s.Due(now)
	if due {
		return tick
	}
	if again, failed := s.again(tick); failed && (s.Done == nil || s.Done.Before(tick)) {
		return again
	}
	return s.Every.Next(tick)
}
