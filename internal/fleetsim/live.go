package fleetsim

import (
	"errors"
	"sync"

	"gpuledger/internal/fleetsim/world"
)

// Errors of an exporter without metrics.
var (
	ErrNoTarget = errors.New("no target of this name runs at this time")
	ErrSilent   = errors.New("the exporter does not answer") // a gap that the files have, too
)

// Exporters answers scrapes with the metrics of each exporter of the fleet at an instant, also after the end of the
// files. For any second of a minute the answer is the files' content of that minute, so that scraping and importing
// give the same facts. It is safe for concurrent use.
type Exporters struct {
	clusters []*liveCluster
}

// liveCluster is one cluster whose story continues.
type liveCluster struct {
	w world.World // to is the end of the story

	mu     sync.Mutex
	day    int64 // of rows, 0 = none yet
	rows   map[*world.Node][]exportRow
	energy map[*world.Device]int64 // counters at the end of day
}

// Exporters returns the fleet's exporters.
func (f *Fleet) Exporters() *Exporters {
	e := &Exporters{}
	for _, c := range f.Clusters {
		l := &liveCluster{w: *c.World}
		l.w.Live, l.w.To = true, l.w.End
		e.clusters = append(e.clusters, l)
	}
	return e
}

// Span is the time in which exporters answer, in unix seconds.
func (e *Exporters) Span() (from, to int64) {
	return e.clusters[0].w.From, e.clusters[0].w.To
}

// Target is one place to scrape with its service-discovery labels.
type Target struct {
	Cluster, Job   string
	Namespace, Pod string // of the exporter itself
	Container      string
	Node           string // of node exporters
}

// NodeTargets lists the exporters of GPUs that run at an instant.
func (e *Exporters) NodeTargets(at int64) []Target {
	var out []Target
	for _, c := range e.clusters {
		for _, n := range c.w.Nodes {
			if exports(&c.w, n, at) {
				t := Target{Cluster: c.w.Config.Cluster, Job: "dcgm-exporter", Node: n.Name}
				if p, _ := n.ExporterAt(at/60*60 + n.Phase); p != nil {
					t.Job, t.Namespace, t.Pod, t.Container = p.Container, p.NS, p.Name, p.Container
				}
				out = append(out, t)
			}
		}
	}
	return out
}

// exports reports whether the node's exporter runs in the minute.
func exports(w *world.World, n *world.Node, at int64) bool {
	tick := at/60*60 + n.Phase
	return n.Joined && tick >= n.ExpFrom && tick < n.Until(w)
}

// ClusterTargets lists the kube-state-metrics of all clusters.
func (e *Exporters) ClusterTargets() []Target {
	var out []Target
	for _, c := range e.clusters {
		if c.w.Site.Slurm {
			continue
		}
		out = append(out, Target{
			Cluster: c.w.Config.Cluster, Job: "kube-state-metrics", Namespace: "monitoring",
			Pod: "kube-state-metrics-0", Container: "kube-state-metrics",
		})
	}
	return out
}

// PodTargets lists pods with their own metrics: inference servers and trainers that write checkpoints.
func (e *Exporters) PodTargets(at int64) []Target {
	var out []Target
	for _, c := range e.clusters {
		for _, p := range c.w.Pods {
			if talks(&c.w, p, at) {
				out = append(out, Target{c.w.Config.Cluster, p.NS + "/" + p.RootName, p.NS, p.Name, p.Container, ""})
			}
		}
	}
	return out
}

// talks reports whether the pod has its own metrics in the minute.
func talks(w *world.World, p *world.Pod, at int64) bool {
	server := Serves(p) && inLife(p, at/60*60+world.VLLMSecond)
	trainer := (len(p.Checkpoints) > 0 || p.Restored != 0) && inLife(p, at/60*60+world.CheckpointSecond)
	return server || trainer
}

func inLife(p *world.Pod, t int64) bool { return t >= p.Started && t < p.End }

// Node is the metrics of a node's exporter at an instant.
func (e *Exporters) Node(name string, at int64) ([]byte, error) {
	for _, c := range e.clusters {
		for _, n := range c.w.Nodes {
			if n.Name != name || !exports(&c.w, n, at) {
				continue
			}
			if world.In(n.ExpGaps, at/60*60+n.Phase) {
				return nil, ErrSilent
			}
			return c.node(n, at), nil
		}
	}
	return nil, ErrNoTarget
}

func (c *liveCluster) node(n *world.Node, at int64) []byte {
	day := at / 86400 * 86400
	minute := int((at - day) / 60)
	rows := c.rowsOf(n, day)
	t := &textFile{live: true}
	for i := range dcgmFamilies {
		fam := &dcgmFamilies[i]
		named := false
		for j := range rows {
			r := &rows[j]
			if !r.has(fam) || !r.covers(minute) || !fam.told(r.sig, minute) || !fam.due(n, minute) {
				continue
			}
			if !named {
				t.family(fam.name, fam.typ, fam.help)
				named = true
			}
			t.buf = append(append(append(append(t.buf, fam.name...), '{'), r.labels...), "} "...)
			t.buf = append(fam.value(t.buf, r.sig, minute), '\n')
		}
	}
	return t.buf
}

func (r *exportRow) covers(minute int) bool {
	for _, s := range r.ranges {
		if s[0] <= minute && minute < s[1] {
			return true
		}
	}
	return false
}

// rowsOf prepares a day of all exporters when it begins; energy counters continue from day to day.
func (c *liveCluster) rowsOf(n *world.Node, day int64) []exportRow {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.day == day {
		return c.rows[n]
	}
	next := c.day + 86400
	if c.day == 0 || day < c.day {
		next, c.energy = c.w.From, map[*world.Device]int64{}
	}
	for ; next <= day; next += 86400 {
		c.rows = make(map[*world.Node][]exportRow, len(c.w.Nodes))
		for _, n := range c.w.Nodes {
			c.rows[n] = nodeDay(&c.w, nil, n, next, c.energy)
		}
	}
	c.day = day
	return c.rows[n]
}

// KubeState is the metrics of a cluster's kube-state-metrics at an instant. An empty name is the first cluster's.
func (e *Exporters) KubeState(cluster string, at int64) ([]byte, error) {
	for _, c := range e.clusters {
		if cluster != "" && c.w.Config.Cluster != cluster || c.w.Site.Slurm {
			continue
		}
		minute := at / 60 * 60
		if world.In(c.w.KSMGaps, minute+world.KSMSecond) {
			return nil, ErrSilent
		}
		t := &textFile{live: true}
		k := &ksmDay{t, &c.w, minute, min(minute+60, c.w.To)}
		k.nodes()
		k.pods()
		k.containers()
		k.others()
		return t.buf, nil
	}
	return nil, ErrNoTarget
}

// AccountingClusters are the clusters that Slurm runs.
func (e *Exporters) AccountingClusters() []string {
	var out []string
	for _, c := range e.clusters {
		if c.w.Site.Slurm {
			out = append(out, c.w.Config.Cluster)
		}
	}
	return out
}

// Accounting is the sacct output for all jobs of a Slurm cluster at an instant.
func (e *Exporters) Accounting(cluster string, at int64) ([]byte, error) {
	for _, c := range e.clusters {
		if c.w.Site.Slurm && c.w.Config.Cluster == cluster {
			return sacct(&c.w, c.w.From, at+1, at), nil
		}
	}
	return nil, ErrNoTarget
}

// Pod is the metrics of a pod's own port at an instant. An empty cluster matches any.
func (e *Exporters) Pod(cluster, namespace, name string, at int64) ([]byte, error) {
	minute := at / 60 * 60
	for _, c := range e.clusters {
		if cluster != "" && c.w.Config.Cluster != cluster {
			continue
		}
		for _, p := range c.w.Pods {
			if p.NS != namespace || p.Name != name || !talks(&c.w, p, at) {
				continue
			}
			t := &textFile{live: true}
			if s := Served(&c.w, p, minute+60); Serves(p) && len(s.Req) > 0 {
				if p.Model != "" {
					vllm(&c.w, t, []Server{s}, minute)
				}
				writeOthers(&c.w, t, []Server{s}, minute)
			}
			if v := GaugeAt(p, minute+world.CheckpointSecond); v != 0 && inLife(p, minute+world.CheckpointSecond) {
				t.family(checkpointGauge, "gauge", checkpointHelp)
				t.point(t.seriesKey(checkpointGauge), checkpointText(v), 0, "")
				if ms := Writing(p, v); ms != 0 {
					t.family(writingGauge, "gauge", writingHelp)
					t.point(t.seriesKey(writingGauge), milliSeconds(ms), 0, "")
				}
			}
			return t.buf, nil
		}
	}
	return nil, ErrNoTarget
}
