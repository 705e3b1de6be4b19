package slurm

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"gpuledger/ingest/records"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// record is one life of a job in its source, or one of its steps.
type record struct {
	line    int64
	id      jobID
	raw     string // the job's own number, as programs on its nodes see it
	cluster string
	account, user, partition, qos,
	name, wckey, comment string

	stateName                    string
	state                        state
	reason                       string // why it waits
	exit                         string
	submit, eligible, start, end period.Second // 0 unknown
	elapsed                      int64         // seconds, -1 unknown
	restarts                     int64         // -1 unknown
	clock                        string        // the submit time as written, if it has no zone

	alloc, req gpus // of the whole job
	resources  bool // the source lists allocations
	nodes      []string
	details    [][]gres  // per node, nil if unknown
	covered    *coverage // of its cluster
	told       bool      // TRES count its given GPUs, possibly none
}

// fieldError is the fault of one field.
type fieldError struct{ column, reason, detail string }

func (e *fieldError) rejection(file string, line int64) ledger.Rejection {
	return ledger.Rejection{File: file, Line: line, Column: e.column, Reason: e.reason, Detail: e.detail}
}

// fields are the texts of a row by column.
type fields [columnCount]string

// fieldsRecord builds a record from a row of text. has reports which columns the rows have.
func fieldsRecord(f *fields, has func(column) bool, zone *time.Location) (*record, *fieldError) {
	r := &record{elapsed: -1, restarts: -1}
	id, raw := f[colID], f[colRaw]
	if id == "" {
		id = raw
	}
	var ok bool
	if r.id, ok = parseID(id); !ok {
		return nil, &fieldError{
			"JobID", "not a job id", fmt.Sprintf("%q: 123, 123_4, 123+0 or 123.step is expected", clip(id)),
		}
	}
	if r.id.step != "" {
		return r, nil
	}
	if rawID, ok := parseID(raw); ok && rawID.step == "" {
		r.raw = rawID.job()
	}
	r.cluster, r.account, r.partition, r.qos = f[colCluster], unset(f[colAccount]), unset(f[colPartition]),
		unset(f[colQOS])
	r.user, _, _ = strings.Cut(unset(f[colUser]), "(") // scontrol: name(uid)
	r.name, r.wckey = f[colName], strings.TrimPrefix(unset(f[colWCKey]), "*")
	r.comment = unset(f[colComment]) + ";" + unset(f[colAdminComment])
	r.reason, r.exit = unset(f[colReason]), f[colExitCode]
	if r.stateName, r.state, ok = stateOf(f[colState]); !ok {
		if has(colState) {
			return nil, &fieldError{"State", "unknown state", fmt.Sprintf("%q", clip(f[colState]))}
		}
		r.state = state{phase: ended, outcome: ledger.OutcomeUnknown}
	}
	if ferr := r.times(f, zone); ferr != nil {
		return nil, ferr
	}
	if n, err := strconv.ParseInt(strings.TrimSpace(f[colRestarts]), 10, 32); err == nil && n >= 0 {
		r.restarts = n
	}
	nodes := f[colNodeList]
	if nodes == "" && !strings.HasPrefix(f[colNodeListReason], "(") {
		nodes = f[colNodeListReason]
	}
	if r.state.phase != waiting {
		var err error
		if r.nodes, err = expandHosts(nodes); err != nil {
			return nil, &fieldError{"NodeList", "bad node list", err.Error()}
		}
	}
	return r, r.resourcesOf(f, has)
}

func (r *record) times(f *fields, zone *time.Location) *fieldError {
	var at [4]moments
	for i, c := range []struct {
		column
		name string
	}{{colSubmit, "Submit"}, {colEligible, "Eligible"}, {colStart, "Start"}, {colEnd, "End"}} {
		var err error
		if at[i], err = parseTime(f[c.column], zone); err != nil {
			return &fieldError{c.name, "not a time", fmt.Sprintf("%q: %v", clip(f[c.column]), err)}
		}
	}
	if n, err := strconv.ParseInt(strings.TrimSpace(f[colElapsedRaw]), 10, 40); err == nil && n >= 0 {
		r.elapsed = n
	} else if n, ok := parseElapsed(f[colElapsed]); ok {
		r.elapsed = n
	}
	r.submit, r.eligible, r.clock = at[0].first(), at[1].first(), records.Clock(f[colSubmit])
	r.start, r.end = fit(at[2], at[3], r.elapsed, r.elapsed >= 0)
	return r.tidy()
}

// tidy drops predicted times, and refuses impossible ones.
func (r *record) tidy() *fieldError {
	switch r.state.phase {
	case waiting: // squeue predicts its start and end
		r.start, r.end, r.elapsed = 0, 0, -1
	case running: // its end is the time limit's
		r.end = 0
	case ended:
		if r.end == 0 && r.start > 0 && r.elapsed >= 0 {
			r.end = r.start + period.Second(r.elapsed)
		}
		if r.start > 0 && r.end > 0 && r.end < r.start {
			return &fieldError{
				"End", "ends before it starts",
				fmt.Sprintf("start %s, end %s; give the zone of these times with --time-zone", r.start, r.end),
			}
		}
	}
	return nil
}

// resourcesOf reads a job's given and requested resources.
func (r *record) resourcesOf(f *fields, has func(column) bool) *fieldError {
	if f[colReqTRES] != "" && !strings.Contains(f[colReqTRES], "=") { // an older export has generic resources there
		f[colReqGRES], f[colReqTRES] = f[colReqTRES], ""
	}
	var bad, badReq bool
	r.alloc, bad = parseTRES(f[colAllocTRES])
	r.req, badReq = parseTRES(f[colReqTRES])
	if bad || badReq {
		name, text := "AllocTRES", f[colAllocTRES]
		if badReq {
			name, text = "ReqTRES", f[colReqTRES]
		}
		return &fieldError{name, "not a number", fmt.Sprintf("%q: counts such as gres/gpu=4 are expected", clip(text))}
	}
	r.resources = has(colAllocTRES) || has(colAllocGRES)
	nodes := int64(len(r.nodes))
	if n, err := strconv.ParseInt(strings.TrimSpace(f[colNodes]), 10, 32); err == nil && n > 0 && n <= maxHosts {
		nodes = n
	}
	lists := askedBy(f, nodes)
	for _, at := range [...]column{colReqGRES, colPerNode, colPerJob, colPerTask, colPerSocket, colGRESDetail} {
		r.resources = r.resources || has(at) && !has(colAllocTRES)
	}
	if perNode := parseGRES(f[colGRESDetail]); len(r.nodes) == 1 && len(perNode) > 0 {
		r.details = [][]gres{perNode}
	} else if len(r.nodes) > 1 && len(perNode) == len(r.nodes) {
		for _, g := range perNode {
			r.details = append(r.details, []gres{g})
		}
	}
	if len(r.nodes) == 1 && len(r.details) == 0 && len(lists.given) > 0 {
		r.details = [][]gres{lists.given}
	}
	if r.told = saysGPUs(f[colAllocTRES]); !r.told {
		r.settle(lists)
	} else if r.req.none() {
		r.req = lists.wanted()
	}
	return nil
}

// number is the job's own number. The rest of a waiting array has the number of its last task,
// whatever else has begun.
func (r *record) number() string {
	switch {
	case r.id.tasks != "" && r.start == 0:
		return r.id.base
	case r.id.tasks != "" || r.raw == "":
		return r.id.job()
	}
	return r.raw
}

// unset turns Slurm's words for a missing value into an empty text.
func unset(s string) string {
	s = strings.TrimSpace(s)
	switch strings.ToLower(s) {
	case "(null)", "none", "n/a", "unknown":
		return ""
	}
	return s
}
