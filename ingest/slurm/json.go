package slurm

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gpuledger/ingest/jsonstream"
	"gpuledger/ingest/records"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// parseJSON reads sacct --json and the jobs of slurmrestd. Fields are at different places in
// different versions; all of these are searched.
func (c *collector) parseJSON(ctx context.Context, in io.Reader) error {
	return jsonstream.Each(ctx, in, c.file, jsonstream.Options{Lists: []string{"jobs"}}, func(v jsonstream.Value) error {
		o, ok := jsonstream.Decode(v.Raw)
		if v.Around {
			c.metaCluster(o)
			return nil
		}
		if ok && o["job_id"] == nil && (o["meta"] != nil || o["errors"] != nil) { // a response without jobs
			c.metaCluster(o)
			return nil
		}
		c.read.Rows++
		if !ok {
			c.read.Reject(ledger.Rejection{
				File: c.file, Line: v.Line, Reason: "not a job", Detail: "an object with job_id is expected",
			})
			return nil
		}
		r, bad := jsonRecord(o)
		if bad != nil {
			c.read.Reject(bad.rejection(c.file, v.Line))
			return nil
		}
		r.line = v.Line
		for _, s := range o.List("steps") {
			if step, ok := s.(map[string]any); ok {
				c.stepEnd(r, jsonTime(jsonstream.Object(step), []string{"time", "end"}))
			}
		}
		return c.add(r)
	})
}

// metaCluster takes the cluster of the response, which may come after the jobs.
func (c *collector) metaCluster(o jsonstream.Object) {
	for _, path := range [][]string{{"meta", "slurm", "cluster"}, {"meta", "Slurm", "cluster"}} {
		if name := records.Clean(o.Text(path...)); name != "" && c.meta == "" {
			c.meta = name
		}
	}
}

// firstOf returns the text of the first path that has one.
func firstOf(o jsonstream.Object, paths ...[]string) string {
	for _, path := range paths {
		if _, nested := o.Get(path...).(map[string]any); nested {
			if n, ok := o.Int(path...); ok {
				return strconv.FormatInt(n, 10)
			}
			continue
		}
		if s := o.Text(path...); s != "" {
			return s
		}
	}
	return ""
}

// jsonTime returns the first known time, 0 if there is none.
func jsonTime(o jsonstream.Object, paths ...[]string) period.Second {
	for _, path := range paths {
		if n, ok := o.Int(path...); ok && n > 0 && n <= maxTime {
			return period.Second(n)
		}
	}
	return 0
}

func jsonRecord(o jsonstream.Object) (*record, *fieldError) {
	r := &record{elapsed: -1, restarts: -1}
	number, ok := o.Int("job_id")
	if !ok || number < 0 {
		return nil, &fieldError{"job_id", "not a job id", "a number is expected"}
	}
	r.raw = strconv.FormatInt(number, 10)
	r.id = jobID{base: r.raw}
	r.arrayOf(o)
	var names []string
	if list := firstList(o, []string{"state", "current"}, []string{"job_state"}, []string{"state"}); list != nil {
		for _, v := range list {
			names = append(names, jsonstream.Text(v))
		}
	} else {
		names = strings.Split(firstOf(o, []string{"state", "current"}, []string{"job_state"}, []string{"state"}), ",")
	}
	if r.stateName, r.state, ok = stateOfList(names); !ok {
		return nil, &fieldError{"state", "unknown state", fmt.Sprintf("%q", clip(strings.Join(names, ",")))}
	}
	r.cluster = firstOf(o, []string{"cluster"}, []string{"association", "cluster"})
	r.account = unset(firstOf(o, []string{"account"}, []string{"association", "account"}))
	r.user = unset(firstOf(o, []string{"user"}, []string{"user_name"}, []string{"association", "user"}))
	r.partition, r.qos = unset(o.Text("partition")), unset(o.Text("qos"))
	r.name = firstOf(o, []string{"name"}, []string{"job_name"})
	r.wckey = strings.TrimPrefix(firstOf(o, []string{"wckey", "wckey"}, []string{"wckey"}), "*")
	r.comment = firstOf(o, []string{"comment", "job"}, []string{"comment"}) + ";" +
		firstOf(o, []string{"comment", "administrator"}, []string{"admin_comment"})
	r.reason = unset(firstOf(o, []string{"state", "reason"}, []string{"state_reason"}))
	if code, ok := o.Int("exit_code", "return_code"); ok {
		signal, _ := o.Int("exit_code", "signal", "id")
		if signal == 0 {
			signal, _ = o.Int("exit_code", "signal", "signal_id")
		}
		r.exit = fmt.Sprintf("%d:%d", code, signal)
	} else if code, ok := o.Int("exit_code"); ok {
		r.exit = fmt.Sprintf("%d:%d", code>>8, code&0x7f) // in the form of wait(2)
	}
	r.submit = jsonTime(o, []string{"time", "submission"}, []string{"submit_time"})
	r.eligible = jsonTime(o, []string{"time", "eligible"}, []string{"eligible_time"})
	r.start = jsonTime(o, []string{"time", "start"}, []string{"start_time"})
	r.end = jsonTime(o, []string{"time", "end"}, []string{"end_time"})
	if n, ok := o.Int("time", "elapsed"); ok && n >= 0 {
		r.elapsed = n
	}
	if n, ok := o.Int("restart_cnt"); ok && n >= 0 {
		r.restarts = n
	}
	if bad := r.tidy(); bad != nil {
		return nil, bad
	}
	if r.state.phase != waiting {
		var err error
		if r.nodes, err = expandHosts(jsonNodes(o)); err != nil {
			return nil, &fieldError{"nodes", "bad node list", err.Error()}
		}
	}
	return r, r.jsonResources(o)
}

// arrayOf reads the array or heterogeneous job of a job.
func (r *record) arrayOf(o jsonstream.Object) {
	base := firstOf(o, []string{"array", "job_id"}, []string{"array_job_id"})
	task := firstOf(o, []string{"array", "task_id"}, []string{"array_task_id"})
	waiting := firstOf(o, []string{"array", "task"}, []string{"array_task_string"})
	switch {
	case digits(base) && base != "0" && digits(task):
		r.id = jobID{base: base, task: task}
	case digits(base) && base != "0" && waiting != "":
		r.id = jobID{base: base, tasks: strings.Trim(waiting, "[]")}
	}
	leader := firstOf(o, []string{"het", "job_id"}, []string{"het_job_id"})
	offset := firstOf(o, []string{"het", "job_offset"}, []string{"het_job_offset"})
	if digits(leader) && leader != "0" {
		if !digits(offset) {
			offset = "0"
		}
		r.id = jobID{base: leader, offset: offset}
	}
}

func firstList(o jsonstream.Object, paths ...[]string) []any {
	for _, path := range paths {
		if l := o.List(path...); len(l) > 0 {
			return l
		}
	}
	return nil
}

// jsonNodes is the node list of a job.
func jsonNodes(o jsonstream.Object) string {
	if s := firstOf(o, []string{"nodes"}, []string{"nodes", "range"}, []string{"job_resources", "nodes"},
		[]string{"job_resources", "nodes", "list"}); unset(s) != "" {
		return s
	}
	var names []string
	for _, v := range o.List("nodes", "list") {
		names = append(names, jsonstream.Text(v))
	}
	return strings.Join(names, ",")
}

// jsonResources reads a job's given and requested resources.
func (r *record) jsonResources(o jsonstream.Object) *fieldError {
	var bad, badReq bool
	r.alloc, r.resources, bad = jsonTRES(o, []string{"tres", "allocated"}, []string{"tres_alloc_str"})
	var said bool
	if r.req, said, badReq = jsonTRES(o, []string{"tres", "requested"}, []string{"tres_req_str"}); bad || badReq {
		return &fieldError{"tres", "not a number", "counts of gres/gpu are expected to be whole numbers"}
	}
	r.resources = r.resources || said
	details := o.List("gres_detail")
	if len(details) == len(r.nodes) {
		for _, d := range details {
			r.details = append(r.details, parseGRES(jsonstream.Text(d)))
		}
	}
	nodes := int64(len(r.nodes))
	if n, ok := o.Int("node_count"); nodes == 0 && ok && n > 0 && n <= maxHosts {
		nodes = n
	}
	if lists := askedIn(o, nodes); saysGPUs(firstOf(o, []string{"tres_alloc_str"})) {
		if r.req.none() {
			r.req = lists.wanted()
		}
	} else {
		r.settle(lists)
	}
	r.resources = r.resources || !r.alloc.none()
	return nil
}

// jsonTRES reads resources as a list of records or as text. said is true if the job has either.
func jsonTRES(o jsonstream.Object, list, text []string) (g gpus, said, bad bool) {
	if records, ok := o.Get(list...).([]any); ok {
		var c gresCount
		for _, v := range records {
			t, ok := v.(map[string]any)
			if !ok || !strings.EqualFold(jsonstream.Text(t["type"]), "gres") {
				continue
			}
			name := strings.ToLower(jsonstream.Text(t["name"]))
			resource, _, _ := strings.Cut(name, ":")
			n, ok := jsonstream.Int(t["count"])
			if isGPU(resource) {
				if !ok || n < 0 || n > maxCount {
					return g, true, true
				}
				c.add(name, n)
			}
		}
		return c.gpus(), true, false
	}
	s, isText := o.Get(text...).(string)
	g, bad = parseTRES(s)
	return g, isText, bad
}
