package world

import (
	"fmt"
	"strconv"
	"strings"
)

// SlurmJob is one job over its lives: the lives of a requeued job share one number.
type SlurmJob struct {
	Number    int64  // JobIDRaw
	ID        string // JobID: 123, 120_2, 130+1
	leader    int64  // of a heterogeneous job
	Name      string
	Account   string
	User      string
	Partition string
	Comment   string
	Lives     []*SlurmLife
}

// SlurmLife is one life of a job, as in the accounting.
type SlurmLife struct {
	Job         *SlurmJob
	Submit      int64
	Start, End  int64
	state       string // at its end
	Nodes       []*Node
	GPUs        int64 // per node
	Shards      int64 // instead of whole GPUs
	member      string
	FirstSubmit int64 // of its run
	Number      int   // of the life, from 1
}

// At is the state of a life at an instant; empty before it was submitted.
func (l *SlurmLife) At(t int64) string {
	switch {
	case t <= l.Submit:
		return ""
	case t <= l.Start:
		return "PENDING"
	case t < l.End:
		return "RUNNING"
	}
	return l.state
}

// slurm is the day of a small cluster: two machines for gangs, one for arrays, shared cards and jobs that others
// preempt.
func (b *builder) slurm() {
	r := b.r
	var n [3]*Node
	for i := range n {
		n[i] = b.newNode(nodeOpts{typ: b.Site.Training, planned: true, at: b.from})
		n[i].Created, n[i].ExpFrom, n[i].BillTeam = b.from, b.from+r.Between(0, 600), Platform.Name
		for range r.Between(0, 1+(b.To-b.from)/86400) {
			from := b.from + r.Between(3600, b.To-b.from-3600)
			n[i].ExpGaps = append(n[i].ExpGaps, Span{from, from + r.Between(70, 11*60)})
		}
	}
	next := r.Between(48_000, 91_000)
	b.gangJobs(n[0], n[1], &next)
	b.arrays(n[2], &next)
	b.shards(n[2].Devices[3], &next)
	b.pushedAside(n[2], &next)
	b.hetJobs(n[2], &next)
}

var slurmUsers = []string{"mkowalski", "tnguyen", "sbrun", "jfeld"}

// newJob is a job with its first life still to come.
func (b *builder) newJob(next *int64, account, partition, name string) *SlurmJob {
	*next++
	j := &SlurmJob{
		Number: *next, ID: strconv.FormatInt(*next, 10), leader: *next, Name: name,
		Account: account, Partition: partition, User: Pick(b.r, slurmUsers),
	}
	b.Jobs = append(b.Jobs, j)
	return j
}

// live gives the job a life on some cards of each node. It works from some minutes after its start to its end.
func (b *builder) live(
	j *SlurmJob, submit, start, end int64, state string, gpus, shards int64, level int64, on ...[]SlotRef,
) *SlurmLife {
	r := b.r
	l := &SlurmLife{
		Job: j, Submit: submit, Start: start, End: end, state: state, GPUs: gpus,
		Shards: shards, FirstSubmit: submit, Number: len(j.Lives) + 1,
	}
	if len(j.Lives) > 0 {
		l.FirstSubmit = j.Lives[0].FirstSubmit
	}
	j.Lives = append(j.Lives, l)
	active := start + r.Between(30, 600)
	busy := []phase{{Span{min(active, end), end}, level + r.Between(-400, 300), 350}}
	if end-active > 3*3600 && r.Chance(30) { // it hangs for a while
		stall := active + r.Between(3600, 2*3600)
		busy = []phase{{Span{active, stall}, level, 350}, {Span{stall + r.Between(900, 2400), end}, level, 350}}
	}
	for _, slots := range on {
		n := slots[0].dev.Node
		l.Nodes = append(l.Nodes, n)
		if start >= b.To {
			continue
		}
		p := &Pod{NS: j.Account, Name: strconv.FormatInt(j.Number, 10), Node: n, RootKind: "SlurmJob",
			RootName: strconv.FormatInt(j.leader, 10),
			Created:  submit, Scheduled: start, Started: start, End: min(end, b.To), Slots: slots, Life: l, phases: busy,
			MemMiB: n.Type.MemMiB * r.Between(50, 90) / 100,
			linger: r.Between(0, 40), Requests: []Request{{"nvidia_com_gpu", gpus}}}
		if shards > 0 {
			p.Requests = []Request{{"nvidia_com_gpu_shared", shards}}
			p.MemMiB /= 2
		}
		if v := j.said("stage"); v != "" {
			p.Labels = append(p.Labels, Label{"label_stage", v})
		}
		if v := j.said("team"); v != "" {
			p.Labels = append(p.Labels, Label{"label_team", v})
		}
		p.Idx = len(b.Pods)
		p.UID = fmt.Sprintf("slurm/%s/%d/%d/%s", b.Config.Cluster, j.Number, submit, n.Name)
		p.Member = strconv.Itoa(len(l.Nodes) - 1)
		b.Pods = append(b.Pods, p)
		p.booked = true
		p.occupy()
	}
	return l
}

// gangJobs are jobs over both machines, requeued when a machine fails.
func (b *builder) gangJobs(a, c *Node, next *int64) {
	r := b.r
	t := b.from + r.Between(300, 1800)
	for t < b.To {
		j := b.newJob(next, Pick(r, []string{"fm-training", "search"}), "gpu",
			Pick(r, []string{"pretrain", "sweep 7b", "finetune"}))
		if r.Chance(40) {
			j.Comment = "stage=training"
		}
		submit := t - r.Between(120, 5400)
		for {
			end := t + r.Between(50*60, 7*3600)
			state := Pick(r, []string{
				"COMPLETED", "COMPLETED", "COMPLETED", "NODE_FAIL", "NODE_FAIL",
				"FAILED", "OUT_OF_MEMORY", "TIMEOUT", "CANCELLED by 20417",
			})
			b.live(j, submit, t, end, state, 8, 0, 9100, wholeSlots(a, 0, 8), wholeSlots(c, 0, 8))
			t = end
			if state != "NODE_FAIL" || t >= b.To {
				break
			}
			back := end + r.Between(300, 2400) // the machine is being repaired, its exporter silent
			c.ExpGaps = append(c.ExpGaps, Span{end - 20, back})
			submit, t = end+r.Between(0, 3), back+r.Between(30, 600)
		}
		t += r.Between(60, 3600)
	}
}

// arrays are arrays of three tasks, a card each.
func (b *builder) arrays(n *Node, next *int64) {
	r := b.r
	for t := b.from + r.Between(300, 3000); t < b.To; {
		base := *next + 1
		until := t
		for task := range 3 {
			j := b.newJob(next, "vision", "gpu", "score")
			j.ID = fmt.Sprintf("%d_%d", base, task+1)
			start := t + r.Between(0, 900)
			end := start + r.Between(15*60, 2*3600)
			state := Pick(r, []string{"COMPLETED", "COMPLETED", "COMPLETED", "FAILED", "TIMEOUT"})
			b.live(j, t-r.Between(60, 300), start, end, state, 1, 0, 6800, wholeSlots(n, task, 1))
			until = max(until, end)
		}
		t = until + r.Between(300, 2*3600)
	}
}

// shards are jobs that request parts of a card, two at a time.
func (b *builder) shards(d *Device, next *int64) {
	r := b.r
	for range 2 {
		for t := b.from + r.Between(300, 7200); t < b.To; t += r.Between(600, 3*3600) {
			j := b.newJob(next, Pick(r, []string{"speech", "research"}), "shared", "notebook")
			if j.Account == "research" {
				j.Comment = "team=applied-research, by the course"
			}
			end := t + r.Between(20*60, 3*3600)
			b.live(j, t-r.Between(2, 60), t, end, Pick(r, []string{"COMPLETED", "CANCELLED by 20988", "TIMEOUT"}), 0, 4, 3000,
				[]SlotRef{{d, WholeDevice}})
			t = end
		}
	}
}

// pushedAside are jobs of a partition for leftovers on two cards, which the jobs of others preempt: they wait and begin
// again.
func (b *builder) pushedAside(n *Node, next *int64) {
	r := b.r
	cards := wholeSlots(n, 4, 2)
	for t := b.from + r.Between(300, 3000); t < b.To; t += r.Between(300, 5400) {
		j := b.newJob(next, "search", "scavenge", "distill")
		submit, end := t-r.Between(30, 1200), t+r.Between(40*60, 4*3600)
		if !r.Chance(45) {
			b.live(j, submit, t, end, "COMPLETED", 2, 0, 8200, cards)
			t = end
			continue
		}
		end = t + r.Between(10*60, 90*60)
		b.live(j, submit, t, end, "PREEMPTED", 2, 0, 8200, cards)
		again := end + r.Between(0, 2) // back in the queue at once
		first := b.newJob(next, "speech", "gpu", "urgent")
		over := end + r.Between(20*60, 2*3600)
		b.live(first, end-r.Between(5, 40), end+r.Between(20, 60), over, Pick(r, []string{"COMPLETED", "FAILED"}), 2, 0, 7900,
			cards)
		t = over + r.Between(10, 120)
		end = t + r.Between(30*60, 3*3600)
		b.live(j, again, t, end, "COMPLETED", 2, 0, 8200, cards)
		t = end
	}
}

// hetJobs are jobs of two parts that start and end together.
func (b *builder) hetJobs(n *Node, next *int64) {
	r := b.r
	for t := b.from + r.Between(3600, 3*3600); t < b.To; t += r.Between(1800, 4*3600) {
		a := b.newJob(next, "research", "gpu", "actor-learner")
		c := b.newJob(next, "research", "gpu", "actor-learner")
		a.ID, c.ID, c.leader = strconv.FormatInt(a.Number, 10)+"+0", strconv.FormatInt(a.Number, 10)+"+1", a.Number
		submit, end := t-r.Between(10, 600), t+r.Between(30*60, 3*3600)
		for i, j := range []*SlurmJob{a, c} {
			l := b.live(j, submit, t, end, "COMPLETED", 1, 0, 7000, wholeSlots(n, 6+i, 1))
			l.member = strconv.Itoa(i) + "-0"
			for _, p := range b.Pods {
				if p.Life == l {
					p.Member = l.member
				}
			}
		}
		t = end
	}
}

// said is the value of a key in a job's comment, empty if it has none.
func (j *SlurmJob) said(key string) string {
	for word := range strings.FieldsFuncSeq(j.Comment, func(r rune) bool { return r == ',' || r == ' ' }) {
		if v, found := strings.CutPrefix(word, key+"="); found {
			return v
		}
	}
	return ""
}
