package fleetsim

import (
	"strconv"

	"gpuledger/internal/fleetsim/world"
)

// ksmDay writes one day of kube-state-metrics. Series about changes (node and pod presence, readiness) are there every
// minute, constant ones when they appear and every 15 minutes, phases when they change and every 5.
type ksmDay struct {
	*textFile
	w        *world.World
	from, to int64
}

var ksmFraction = milliText(world.KSMMilli)

// samples writes a series that exists over [from, to) at every n-th scrape of
// its life, beginning with the first.
func (k *ksmDay) samples(key []byte, value string, from, to int64, n int64) {
	life := world.CeilTo(max(from, k.w.From), world.KSMSecond)
	t := life
	if k.live {
		if now := k.from + world.KSMSecond; now >= life && now < min(to, k.to) {
			k.point(key, value, now, "")
		}
		return
	}
	if back := k.from - 3*3600; t < back { // gaps are shorter than that
		t += (back - t) / 60 / n * n * 60
	}
	fresh := t == life // the first scrape that is not lost in a gap always counts
	for to = min(to, k.to); t < to; t += 60 {
		if due := (t-life)/60%n == 0; !due && !fresh {
			continue
		}
		if fresh = world.In(k.w.KSMGaps, t); !fresh && t >= k.from {
			k.point(key, value, t, ksmFraction)
		}
	}
}

// alive reports whether [from, to) has a scrape this day.
func (k *ksmDay) alive(from, to int64) bool { return from < k.to && to > k.from }

// NodeKubeEnd is when the Node object disappears, at the latest the end of the data.
func NodeKubeEnd(w *world.World, n *world.Node) int64 {
	if n.End == 0 {
		return w.To
	}
	return min(w.To, n.KubeEnd)
}

// PodRemoved is when the pod leaves the API, at the latest the end of the data.
func PodRemoved(w *world.World, p *world.Pod) int64 {
	if p.Removed == 0 {
		return w.To
	}
	return min(w.To, p.Removed)
}

func writeKSM(w *world.World, f *textFile, day int64) {
	k := &ksmDay{f, w, day, min(day+86400, w.To)}
	k.nodes()
	k.pods()
	k.containers()
	k.others()
}

func (k *ksmDay) eachNode(name, help string, fn func(n *world.Node, from, to int64)) {
	k.family(name, "gauge", help)
	for _, n := range k.w.Nodes {
		if n.Joined && k.alive(n.Created, NodeKubeEnd(k.w, n)) {
			fn(n, n.Created, NodeKubeEnd(k.w, n))
		}
	}
}

func (k *ksmDay) nodes() {
	k.eachNode("kube_node_info", "Information about a cluster node.", func(n *world.Node, from, to int64) {
		k.samples(k.seriesKey("kube_node_info", "node", n.Name, "kernel_version", k.w.Site.Kernel, "os_image",
			k.w.Site.OsImage,
			"provider_id", n.ProviderID, "system_uuid", systemUUID(k.w, n)), "1", from, to, 1)
	})
	if k.w.Site.Provider == world.GCP {
		k.eachNode("kube_node_annotations", "Kubernetes annotations converted to Prometheus labels.",
			func(n *world.Node, from, to int64) {
				if !n.NameOnly {
					k.samples(k.seriesKey("kube_node_annotations", "node", n.Name, "annotation_container_googleapis_com_instance_id",
						n.NumericID), "1", from, to, 15)
				}
			})
	}
	k.eachNode("kube_node_created", "Unix creation timestamp.", func(n *world.Node, from, to int64) {
		k.samples(k.seriesKey("kube_node_created", "node", n.Name), strconv.FormatInt(n.Created, 10), from, to, 15)
	})
	k.eachNode("kube_node_labels", "Kubernetes labels converted to Prometheus labels.",
		func(n *world.Node, from, to int64) {
			k.samples(k.seriesKey("kube_node_labels", append([]string{"node", n.Name}, pairs(n.Labels)...)...), "1", from, to,
				15)
		})
	k.eachNode("kube_node_status_capacity", "The total amount of resources available for a node.",
		func(n *world.Node, from, to int64) {
			set := func(resource, unit string, v int64) {
				k.samples(k.seriesKey("kube_node_status_capacity", "node", n.Name, "resource", resource, "unit", unit),
					strconv.FormatInt(v, 10), from, to, 15)
			}
			set("cpu", "core", int64(n.Type.VCPU))
			set("memory", "byte", int64(n.Type.MemGiB)<<30)
			if n.Replicas > 1 {
				set("nvidia_com_gpu", "integer", 0)
				set("nvidia_com_gpu_shared", "integer", int64(n.Type.GPUs*n.Replicas))
			} else {
				whole := 0
				for _, d := range n.Devices {
					if d.Layouts == nil {
						whole++
					}
				}
				set("nvidia_com_gpu", "integer", int64(whole))
			}
		})
	k.eachNode("kube_node_status_condition", "The condition of a cluster node.", func(n *world.Node, from, to int64) {
		key := k.seriesKey("kube_node_status_condition", "node", n.Name, "condition", "Ready", "status", "true")
		k.switching(key, n.NotReady, "0", "1", from, to)
		k.samples(k.seriesKey("kube_node_status_condition", "node", n.Name, "condition", "MemoryPressure", "status", "true"),
			"0", from, to, 60)
	})
	k.eachNode("kube_node_spec_unschedulable", "Whether a node can schedule new pods.",
		func(n *world.Node, from, to int64) {
			k.switching(k.seriesKey("kube_node_spec_unschedulable", "node", n.Name), n.Cordoned, "1", "0", from, to)
		})
	k.taintSeries()
}

// switching writes a 0/1 series every minute: inside within spans, else outside.
func (k *ksmDay) switching(key []byte, spans []world.Span, inside, outside string, from, to int64) {
	for t := world.CeilTo(max(from, k.from), world.KSMSecond); t < min(to, k.to); t += 60 {
		if world.In(k.w.KSMGaps, t) {
			continue
		}
		v := outside
		if world.In(spans, t) {
			v = inside
		}
		k.point(key, v, t, ksmFraction)
	}
}

func pairs(l []world.Label) []string {
	var out []string
	for _, x := range l {
		if x.Value != "" {
			out = append(out, x.Key, x.Value)
		}
	}
	return out
}

func (k *ksmDay) eachPod(name, help string, fn func(p *world.Pod, key func(more ...string) []byte, from, to int64)) {
	typ := "gauge"
	if name == "kube_pod_container_status_restarts" {
		typ = "counter"
	}
	k.family(name, typ, help)
	for _, p := range k.w.Pods {
		to := PodRemoved(k.w, p)
		if k.alive(p.Created, to) {
			fn(p, func(more ...string) []byte {
				return k.seriesKey(name, append([]string{"namespace", p.NS, "pod", p.Name, "uid", p.UID}, more...)...)
			}, p.Created, to)
		}
	}
}

type podKey = func(more ...string) []byte

func (k *ksmDay) pods() {
	k.eachPod("kube_pod_info", "Information about pod.", func(p *world.Pod, key podKey, from, to int64) {
		owner := []string{"created_by_kind", p.OwnerKind, "created_by_name", p.OwnerName, "host_network", "false"}
		k.samples(key(append([]string{"node", ""}, owner...)...), "1", from, min(p.Scheduled, to), 1)
		k.samples(key(append([]string{"node", p.Node.Name}, owner...)...), "1", p.Scheduled, to, 1)
	})
	k.eachPod("kube_pod_owner", "Information about the Pod's owner.", func(p *world.Pod, key podKey, from, to int64) {
		kind, name, is := p.OwnerKind, p.OwnerName, "true"
		if kind == "" {
			kind, name, is = "<none>", "<none>", "<none>"
		}
		k.samples(key("owner_kind", kind, "owner_name", name, "owner_is_controller", is), "1", from, to, 15)
	})
	k.eachPod("kube_pod_labels", "Kubernetes labels converted to Prometheus labels.",
		func(p *world.Pod, key podKey, from, to int64) {
			k.samples(key(pairs(p.Labels)...), "1", from, to, 15)
		})
	k.eachPod("kube_pod_nodeselectors", "Describes the Pod nodeSelectors.",
		func(p *world.Pod, key podKey, from, to int64) {
			k.samples(key(pairs(p.Selectors())...), "1", from, to, 60)
		})
	instant := func(name, help string, get func(*world.Pod) int64) {
		k.eachPod(name, help, func(p *world.Pod, key podKey, from, to int64) {
			if at := get(p); at != 0 && at < k.w.To {
				k.samples(key(), strconv.FormatInt(at, 10), max(from, at), to, 15)
			}
		})
	}
	instant("kube_pod_created", "Unix creation timestamp.", func(p *world.Pod) int64 { return p.Created })
	instant("kube_pod_status_scheduled_time", "Unix timestamp when pod moved into scheduled status.",
		func(p *world.Pod) int64 { return p.Scheduled })
	instant("kube_pod_start_time", "Start time in unix timestamp for a pod.", func(p *world.Pod) int64 {
		if p.Scheduled+1 >= p.End {
			return 0
		}
		return p.Scheduled + 1
	})
	instant("kube_pod_completion_time", "Completion time in unix timestamp for a pod.", Completion)
	instant("kube_pod_deletion_timestamp", "Unix deletion timestamp.", func(p *world.Pod) int64 { return p.Deletion })
	k.eachPod("kube_pod_status_phase", "The pods current phase.", k.phases)
	k.eachPod("kube_pod_status_reason", "The pod status reasons.", func(p *world.Pod, key podKey, from, to int64) {
		if p.Exit == world.ExitFailed && p.StatusReason != "" {
			k.samples(key("reason", p.StatusReason), "1", p.End, to, 1)
			k.samples(key("reason", "NodeLost"), "0", p.End, to, 5)
		}
	})
}

// Completion is when the containers ended by themselves, 0 if they did not.
func Completion(p *world.Pod) int64 {
	if p.Exit == world.ExitSucceeded || p.Exit == world.ExitFailed {
		return p.End
	}
	return 0
}

func (k *ksmDay) phases(p *world.Pod, key podKey, from, to int64) {
	running := min(max(p.Started, from), to)
	done := to
	last := "Running"
	if c := Completion(p); c != 0 {
		done = c
		last = "Succeeded"
		if p.Exit == world.ExitFailed {
			last = "Failed"
		}
	}
	running = min(running, done)
	for _, name := range []string{"Pending", "Running", "Succeeded", "Failed", "Unknown"} {
		series := key("phase", name)
		state := func(now string, a, b int64) {
			v := "0"
			if name == now {
				v = "1"
			}
			n := int64(5)
			if v == "0" {
				n = 15
			}
			k.samples(series, v, a, b, n)
		}
		state("Pending", from, running)
		state("Running", running, done)
		if last != "Running" {
			state(last, done, to)
		}
	}
}

// longWait is how many seconds a pod must wait before its requests appear in series without a node.
const longWait = 900

func (k *ksmDay) containers() {
	k.eachPod("kube_pod_container_resource_requests", "The number of requested request resource by a container.",
		func(p *world.Pod, key podKey, from, to int64) {
			for _, r := range p.Requests {
				unit := "integer"
				if r.Resource == "cpu" {
					unit = "core"
				}
				k.samples(key("container", p.Container, "node", p.Node.Name, "resource", r.Resource, "unit", unit),
					strconv.FormatInt(r.N, 10), p.Scheduled, to, 15)
				if p.Scheduled-from > longWait { // its requests while it waits
					k.samples(key("container", p.Container, "node", "", "resource", r.Resource, "unit", unit),
						strconv.FormatInt(r.N, 10), from, min(p.Scheduled, to), 15)
				}
			}
			if m := MemoryRequest(p); m > 0 {
				k.samples(key("container", p.Container, "node", p.Node.Name, "resource", "memory", "unit", "byte"),
					strconv.FormatInt(m, 10), p.Scheduled, to, 15)
			}
		})
	k.eachPod("kube_pod_container_status_waiting_reason",
		"Describes the reason the container is currently in waiting state.", func(p *world.Pod, key podKey, from, to int64) {
			for _, s := range p.Crash {
				k.samples(key("container", p.Container, "reason", "CrashLoopBackOff"), "1", s.From, min(s.To, to), 1)
			}
		})
	k.eachPod("kube_pod_container_status_terminated_reason",
		"Describes the reason the container is currently in terminated state.",
		func(p *world.Pod, key podKey, from, to int64) {
			if Completion(p) != 0 && p.Reason != "" {
				k.samples(key("container", p.Container, "reason", p.Reason), "1", p.End, to, 15)
			}
		})
	k.eachPod("kube_pod_container_status_last_terminated_reason",
		"Describes the last reason the container was in terminated state.", func(p *world.Pod, key podKey, from, to int64) {
			if len(p.Crash) > 0 {
				k.samples(key("container", p.Container, "reason", "Error"), "1", p.Crash[0].From, to, 15)
			}
			k.restarts(p, to, func(i int, from, until int64) {
				if i > 0 {
					k.samples(key("container", p.Container, "reason", p.Restarts[i-1].Reason), "1", from, until, 15)
				}
			})
		})
	k.eachPod("kube_pod_container_status_last_terminated_timestamp",
		"Last terminated time for a pod container in unix timestamp.", func(p *world.Pod, key podKey, from, to int64) {
			k.restarts(p, to, func(i int, from, until int64) {
				if i > 0 {
					k.samples(key("container", p.Container), strconv.FormatInt(p.Restarts[i-1].At, 10), from, until, 15)
				}
			})
		})
	k.eachPod("kube_pod_container_status_restarts", "The number of container restarts per container.",
		func(p *world.Pod, key podKey, from, to int64) {
			if len(p.Slots) == 0 {
				return
			}
			k.restarts(p, to, func(i int, from, until int64) {
				k.samples(k.seriesKey("kube_pod_container_status_restarts_total", "namespace", p.NS, "pod", p.Name, "uid", p.UID,
					"container", p.Container), strconv.Itoa(i), from, until, 15)
			})
		})
}

// restarts goes through the lives of a pod's container, 0 before the first
// restart.
func (k *ksmDay) restarts(p *world.Pod, to int64, life func(i int, from, until int64)) {
	for i := range len(p.Restarts) + 1 {
		from, until := p.Started, to
		if i > 0 {
			from = p.Restarts[i-1].At
		}
		if i < len(p.Restarts) {
			until = p.Restarts[i].At
		}
		life(i, from, until)
	}
}

func (k *ksmDay) eachObject(kind, name, help string, fn func(o *world.Object, from, to int64)) {
	k.family(name, "gauge", help)
	for _, o := range k.w.Objects {
		to := k.w.To
		if o.Removed != 0 {
			to = min(to, o.Removed)
		}
		if from := max(o.Created, k.w.From); o.Kind == kind && k.alive(from, to) {
			fn(o, from, to)
		}
	}
}

func (k *ksmDay) others() {
	k.quotas()
	k.eachObject("ReplicaSet", "kube_replicaset_owner", "Information about the ReplicaSet's owner.",
		func(o *world.Object, from, to int64) {
			k.samples(k.seriesKey("kube_replicaset_owner", "namespace", o.NS, "replicaset", o.Name, "owner_kind", o.OwnerKind,
				"owner_name", o.OwnerName, "owner_is_controller", "true"), "1", from, to, 15)
		})
	k.eachObject("Job", "kube_job_created", "Unix creation timestamp.", func(o *world.Object, from, to int64) {
		k.samples(k.seriesKey("kube_job_created", "namespace", o.NS, "job_name", o.Name), strconv.FormatInt(o.Created, 10),
			from, to, 15)
	})
	k.eachObject("Job", "kube_job_owner", "Information about the Job's owner.", func(o *world.Object, from, to int64) {
		k.samples(k.seriesKey("kube_job_owner", "namespace", o.NS, "job_name", o.Name, "owner_kind", "<none>", "owner_name",
			"<none>", "owner_is_controller", "<none>"), "1", from, to, 15)
	})
	number := func(name, help string, get func(*world.Object) int64) {
		k.eachObject("Job", name, help, func(o *world.Object, from, to int64) {
			k.samples(k.seriesKey(name, "namespace", o.NS, "job_name", o.Name), strconv.FormatInt(get(o), 10), from, to, 15)
		})
	}
	number("kube_job_spec_completions", "The desired number of successfully finished pods.",
		func(o *world.Object) int64 { return o.Completions })
	number("kube_job_spec_parallelism", "The maximum desired number of pods.",
		func(o *world.Object) int64 { return o.Parallelism })
	k.eachObject("Job", "kube_job_status_failed", "The number of pods which reached Phase Failed.",
		func(o *world.Object, from, to int64) {
			if o.FailedReason != "" {
				k.samples(k.seriesKey("kube_job_status_failed", "namespace", o.NS, "job_name", o.Name, "reason", o.FailedReason),
					"1", o.FailedAt, to, 15)
			}
		})
	k.eachObject("Job", "kube_job_status_suspended", "The number of jobs which are suspended.",
		func(o *world.Object, from, to int64) {
			if len(o.Suspended) > 0 {
				k.switching(k.seriesKey("kube_job_status_suspended", "namespace", o.NS, "job_name", o.Name), o.Suspended, "1", "0",
					from, to)
			}
		})
	k.eachObject("Namespace", "kube_namespace_labels", "Kubernetes labels converted to Prometheus labels.",
		func(o *world.Object, from, to int64) {
			k.samples(k.seriesKey("kube_namespace_labels", append([]string{"namespace", o.Name}, pairs(o.Labels)...)...), "1",
				from, to, 60)
		})
}

// systemUUID is the machine's UUID in its firmware.
func systemUUID(w *world.World, n *world.Node) string {
	if w.Site.Provider == world.AWS {
		return "ec2" + n.InstanceID[4:]
	}
	return world.NewRNG(w.Config.Seed, 50, uint64(n.Idx)).UUID()
}
