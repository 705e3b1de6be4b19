package fleetsim

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"gpuledger/internal/fleetsim/world"
)

// sacctColumns is the columns of `sacct -a -D -P -o …`. Free text comes last, as experienced users request it.
const sacctColumns = "JobID|JobIDRaw|Cluster|Account|User|Partition|QOS|State|ExitCode|Reason|Submit|Eligible|Start|End|ElapsedRaw|AllocNodes|NodeList|AllocTRES|ReqTRES|JobName|Comment"

// sacct is the accounting of [from, to) at an instant: a row per life and per step of all jobs in that time.
func sacct(w *world.World, from, to, now int64) []byte {
	body := []byte(sacctColumns + "\n")
	for _, l := range Listed(w, from, to, now) {
		body = append(body, sacctRow(l, w.Config.Cluster, now)...)
	}
	if begin := from + 5400; begin+3600 < min(to, now) { // a job without GPUs
		n := w.Nodes[0].Name
		body = fmt.Appendf(body, "1%07d|1%07[1]d|%s|search|sbrun|cpu|normal|COMPLETED|0:0|None|%[3]s|%[3]s|%[3]s|%s|1800|1|%s|billing=8,cpu=8,mem=32G,node=1|billing=8,cpu=8,mem=32G,node=1|tokenize|\n",
			from/86400, w.Config.Cluster, slurmTime(begin), slurmTime(begin+1800), n)
	}
	return body
}

// Listed are the lives that sacct lists, in its order.
func Listed(w *world.World, from, to, now int64) []*world.SlurmLife {
	var out []*world.SlurmLife
	for _, j := range w.Jobs {
		for _, l := range j.Lives {
			state := l.At(now)
			over := state != "PENDING" && state != "RUNNING" && l.End < from
			if state != "" && !over && l.Submit < to {
				out = append(out, l)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *world.SlurmLife) int { return int(a.Job.Number - b.Job.Number) })
	return out
}

// sacctRow is a life and its steps. Times have no zone: the cluster's clock is UTC.
func sacctRow(l *world.SlurmLife, cluster string, now int64) []byte {
	j, state := l.Job, l.At(now)
	start, end, elapsed, exit, reason := "Unknown", "Unknown", int64(0), "0:0", "None"
	nodes, count, tres := "None assigned", len(l.Nodes), ""
	total := l.GPUs * int64(len(l.Nodes))
	gres := fmt.Sprintf("gres/gpu:a100=%d,gres/gpu=%[1]d", total)
	if j.Number%3 == 0 { // other versions list only one of them
		gres = fmt.Sprintf("gres/gpu=%d", total)
	}
	if l.Shards > 0 {
		gres = fmt.Sprintf("gres/shard=%d", l.Shards)
	}
	asked := fmt.Sprintf("billing=%d,cpu=%[1]d,%s,mem=%dG,node=%d", 16*max(1, total), gres, 60*max(1, total), count)
	if state == "PENDING" {
		reason = "Resources"
	} else {
		start, nodes, tres, elapsed = slurmTime(l.Start), hostlist(l.Nodes), asked, now-l.Start
		if state != "RUNNING" {
			end, elapsed = slurmTime(l.End), l.End-l.Start
		}
	}
	switch state {
	case "FAILED":
		exit = "1:0"
	case "OUT_OF_MEMORY":
		exit = "0:125"
	case "TIMEOUT", "PREEMPTED":
		exit = "0:15"
	}
	line := func(id, raw, user, partition, qos, state, name, comment, tres string) []byte {
		return fmt.Appendf(nil, "%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%d|%d|%s|%s|%s|%s|%s\n", id, raw, cluster,
			j.Account, user, partition, qos, state, exit, reason,
			slurmTime(l.Submit), slurmTime(l.Submit), start, end, elapsed, count, nodes, tres, asked, name, comment)
	}
	raw := strconv.FormatInt(j.Number, 10)
	out := line(j.ID, raw, j.User, j.Partition, "normal", state, j.Name, j.Comment, tres)
	if state == "PENDING" {
		return out
	}
	word, _, _ := strings.Cut(state, " ")
	for _, step := range []string{"batch", "extern", "0"} { // steps repeat the resources
		out = append(out, line(j.ID+"."+step, raw+"."+step, "", "", "", word, step, "", tres)...)
	}
	return out
}

func slurmTime(t int64) string { return time.Unix(t, 0).UTC().Format("2006-01-02T15:04:05") }

// hostlist compresses names as Slurm does.
func hostlist(nodes []*world.Node) string {
	if len(nodes) == 1 {
		return nodes[0].Name
	}
	prefix := nodes[0].Name[:len(nodes[0].Name)-2]
	var numbers []string
	for _, n := range nodes {
		numbers = append(numbers, strings.TrimPrefix(n.Name, prefix))
	}
	return prefix + "[" + numbers[0] + "-" + numbers[len(numbers)-1] + "]"
}

// Month is one accounting file.
type Month struct {
	name     string
	From, To int64
}

// Months are the calendar months of the data, one accounting file each.
func Months(w *world.World) []Month {
	var out []Month
	first := time.Unix(w.From, 0).UTC()
	for m := time.Date(first.Year(), first.Month(), 1, 0, 0, 0, 0, time.UTC); m.Unix() < w.To; m = m.AddDate(0, 1, 0) {
		out = append(out, Month{m.Format("2006-01"), max(w.From, m.Unix()), m.AddDate(0, 1, 0).Unix()})
	}
	return out
}

// writeAccounting writes the sacct output at the end of the data, by month.
func writeAccounting(w *world.World, dir string, m *Manifest) error {
	if err := os.MkdirAll(filepath.Join(dir, "slurm"), 0o755); err != nil {
		return fmt.Errorf("make folder of accounting: %w", err)
	}
	for _, month := range Months(w) {
		rel := filepath.Join("slurm", "sacct-"+month.name+".txt")
		if err := os.WriteFile(filepath.Join(dir, rel), sacct(w, month.From, month.To, w.To), 0o644); err != nil {
			return fmt.Errorf("write accounting: %w", err)
		}
		m.Slurm = append(m.Slurm, rel)
	}
	return nil
}
