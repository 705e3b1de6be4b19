package fleetsim

import "strconv"

// ksmDay writes one day of kube-state-metrics. Series that say what changes
// (node and pod presence, readiness) are there every minute, constant ones
// when they appear and every 15 minutes, phases when they change and every 5.
type ksmDay struct {
	*textFile
	w        *world
	from, to int64
}

var ksmFraction = milliText(ksmMilli)

// samples writes a series that exists over [from, to) at every n-th scrape of
// its life, beginning with the first.
func (k *ksmDay) samples(key []byte, value string, from, to int64, n int64) {
	life := ceilTo(max(from, k.w.from), ksmSecond)
	t := life
	if k.live {
		if now := k.from + ksmSecond; now >= life && now < min(to, k.to) {
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
		if fresh = in(k.w.ksmGaps, t); !fresh && t >= k.from {
			k.point(key, value, t, ksmFraction)
		}
	}
}

// alive reports whether [from, to) has a scrape this day.
func (k *ksmDay) alive(from, to int64) bool { return from < k.to && to > k.from }

func (w *world) nodeKubeEnd(n *node) int64 {
	if n.end == 0 {
		return w.to
	}
	return min(w.to, n.kubeEnd)
}

func (w *world) podRemoved(p *pod) int64 {
	if p.removed == 0 {
		return w.to
	}
	return min(w.to, p.removed)
}

func (w *world) writeKSM(f *textFile, day int64) {
	k := &ksmDay{f, w, day, min(day+86400, w.to)}
	k.nodes()
	k.pods()
	k.containers()
	k.others()
}

func (k *ksmDay) eachNode(name, help string, fn func(n *node, from, to int64)) {
	k.family(name, "gauge", help)
	for _, n := range k.w.nodes {
		if n.joined && k.alive(n.created, k.w.nodeKubeEnd(n)) {
			fn(n, n.created, k.w.nodeKubeEnd(n))
		}
	}
}

func (k *ksmDay) nodes() {
	k.eachNode("kube_node_info", "Information about a cluster node.", func(n *node, from, to int64) {
		k.samples(k.seriesKey("kube_node_info", "node", n.name, "kernel_version", k.w.site.kernel, "os_image", k.w.site.osImage,
			"provider_id", n.providerID, "system_uuid", k.w.systemUUID(n)), "1", from, to, 1)
	})
	if k.w.site.provider == gcp {
		k.eachNode("kube_node_annotations", "Kubernetes annotations converted to Prometheus labels.", func(n *node, from, to int64) {
			if !n.nameOnly {
				k.samples(k.seriesKey("kube_node_annotations", "node", n.name, "annotation_container_googleapis_com_instance_id", n.numericID), "1", from, to, 15)
			}
		})
	}
	k.eachNode("kube_node_created", "Unix creation timestamp.", func(n *node, from, to int64) {
		k.samples(k.seriesKey("kube_node_created", "node", n.name), strconv.FormatInt(n.created, 10), from, to, 15)
	})
	k.eachNode("kube_node_labels", "Kubernetes labels converted to Prometheus labels.", func(n *node, from, to int64) {
		k.samples(k.seriesKey("kube_node_labels", append([]string{"node", n.name}, pairs(n.labels)...)...), "1", from, to, 15)
	})
	k.eachNode("kube_node_status_capacity", "The total amount of resources available for a node.", func(n *node, from, to int64) {
		set := func(resource, unit string, v int64) {
			k.samples(k.seriesKey("kube_node_status_capacity", "node", n.name, "resource", resource, "unit", unit), strconv.FormatInt(v, 10), from, to, 15)
		}
		set("cpu", "core", int64(n.typ.vcpu))
		set("memory", "byte", int64(n.typ.memGiB)<<30)
		if n.replicas > 1 {
			set("nvidia_com_gpu", "integer", 0)
			set("nvidia_com_gpu_shared", "integer", int64(n.typ.gpus*n.replicas))
		} else {
			whole := 0
			for _, d := range n.devices {
				if d.layouts == nil {
					whole++
				}
			}
			set("nvidia_com_gpu", "integer", int64(whole))
		}
	})
	k.eachNode("kube_node_status_condition", "The condition of a cluster node.", func(n *node, from, to int64) {
		key := k.seriesKey("kube_node_status_condition", "node", n.name, "condition", "Ready", "status", "true")
		k.switching(key, n.notReady, "0", "1", from, to)
		k.samples(k.seriesKey("kube_node_status_condition", "node", n.name, "condition", "MemoryPressure", "status", "true"), "0", from, to, 60)
	})
	k.eachNode("kube_node_spec_unschedulable", "Whether a node can schedule new pods.", func(n *node, from, to int64) {
		k.switching(k.seriesKey("kube_node_spec_unschedulable", "node", n.name), n.cordoned, "1", "0", from, to)
	})
	k.taintSeries()
}

// switching writes a 0/1 series every minute: inside within spans, else outside.
func (k *ksmDay) switching(key []byte, spans []span, inside, outside string, from, to int64) {
	for t := ceilTo(max(from, k.from), ksmSecond); t < min(to, k.to); t += 60 {
		if in(k.w.ksmGaps, t) {
			continue
		}
		v := outside
		if in(spans, t) {
			v = inside
		}
		k.point(key, v, t, ksmFraction)
	}
}

func pairs(l []label) []string {
	var out []string
	for _, x := range l {
		if x.value != "" {
			out = append(out, x.key, x.value)
		}
	}
	return out
}

func (k *ksmDay) eachPod(name, help string, fn func(p *pod, key func(more ...string) []byte, from, to int64)) {
	typ := "gauge"
	if name == "kube_pod_container_status_restarts" {
		typ = "counter"
	}
	k.family(name, typ, help)
	for _, p := range k.w.pods {
		to := k.w.podRemoved(p)
		if k.alive(p.created, to) {
			fn(p, func(more ...string) []byte {
				return k.seriesKey(name, append([]string{"namespace", p.ns, "pod", p.name, "uid", p.uid}, more...)...)
			}, p.created, to)
		}
	}
}

type podKey = func(more ...string) []byte

func (k *ksmDay) pods() {
	k.eachPod("kube_pod_info", "Information about pod.", func(p *pod, key podKey, from, to int64) {
		owner := []string{"created_by_kind", p.ownerKind, "created_by_name", p.ownerName, "host_network", "false"}
		k.samples(key(append([]string{"node", ""}, owner...)...), "1", from, min(p.scheduled, to), 1)
		k.samples(key(append([]string{"node", p.node.name}, owner...)...), "1", p.scheduled, to, 1)
	})
	k.eachPod("kube_pod_owner", "Information about the Pod's owner.", func(p *pod, key podKey, from, to int64) {
		kind, name, is := p.ownerKind, p.ownerName, "true"
		if kind == "" {
			kind, name, is = "<none>", "<none>", "<none>"
		}
		k.samples(key("owner_kind", kind, "owner_name", name, "owner_is_controller", is), "1", from, to, 15)
	})
	k.eachPod("kube_pod_labels", "Kubernetes labels converted to Prometheus labels.", func(p *pod, key podKey, from, to int64) {
		k.samples(key(pairs(p.labels)...), "1", from, to, 15)
	})
	k.eachPod("kube_pod_nodeselectors", "Describes the Pod nodeSelectors.", func(p *pod, key podKey, from, to int64) {
		k.samples(key(pairs(p.selectors())...), "1", from, to, 60)
	})
	instant := func(name, help string, get func(*pod) int64) {
		k.eachPod(name, help, func(p *pod, key podKey, from, to int64) {
			if at := get(p); at != 0 && at < k.w.to {
				k.samples(key(), strconv.FormatInt(at, 10), max(from, at), to, 15)
			}
		})
	}
	instant("kube_pod_created", "Unix creation timestamp.", func(p *pod) int64 { return p.created })
	instant("kube_pod_status_scheduled_time", "Unix timestamp when pod moved into scheduled status.", func(p *pod) int64 { return p.scheduled })
	instant("kube_pod_start_time", "Start time in unix timestamp for a pod.", func(p *pod) int64 {
		if p.scheduled+1 >= p.end {
			return 0
		}
		return p.scheduled + 1
	})
	instant("kube_pod_completion_time", "Completion time in unix timestamp for a pod.", (*pod).completion)
	instant("kube_pod_deletion_timestamp", "Unix deletion timestamp.", func(p *pod) int64 { return p.deletion })
	k.eachPod("kube_pod_status_phase", "The pods current phase.", k.phases)
	k.eachPod("kube_pod_status_reason", "The pod status reasons.", func(p *pod, key podKey, from, to int64) {
		if p.exit == exitFailed && p.statusReason != "" {
			k.samples(key("reason", p.statusReason), "1", p.end, to, 1)
			k.samples(key("reason", "NodeLost"), "0", p.end, to, 5)
		}
	})
}

// completion is when the containers ended by themselves, 0 when they did not.
func (p *pod) completion() int64 {
	if p.exit == exitSucceeded || p.exit == exitFailed {
		return p.end
	}
	return 0
}

func (k *ksmDay) phases(p *pod, key podKey, from, to int64) {
	running := min(max(p.started, from), to)
	done := to
	last := "Running"
	if c := p.completion(); c != 0 {
		done = c
		last = "Succeeded"
		if p.exit == exitFailed {
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

// longWait is how long a pod waits before anybody asks what for, in seconds.
const longWait = 900

func (k *ksmDay) containers() {
	k.eachPod("kube_pod_container_resource_requests", "The number of requested request resource by a container.", func(p *pod, key podKey, from, to int64) {
		for _, r := range p.requests {
			unit := "integer"
			if r.resource == "cpu" {
				unit = "core"
			}
			k.samples(key("container", p.container, "node", p.node.name, "resource", r.resource, "unit", unit), strconv.FormatInt(r.n, 10), p.scheduled, to, 15)
			if p.scheduled-from > longWait { // asked for while it waits
				k.samples(key("container", p.container, "node", "", "resource", r.resource, "unit", unit), strconv.FormatInt(r.n, 10), from, min(p.scheduled, to), 15)
			}
		}
		if m := p.memoryRequest(); m > 0 {
			k.samples(key("container", p.container, "node", p.node.name, "resource", "memory", "unit", "byte"), strconv.FormatInt(m, 10), p.scheduled, to, 15)
		}
	})
	k.eachPod("kube_pod_container_status_waiting_reason", "Describes the reason the container is currently in waiting state.", func(p *pod, key podKey, from, to int64) {
		for _, s := range p.crash {
			k.samples(key("container", p.container, "reason", "CrashLoopBackOff"), "1", s.from, min(s.to, to), 1)
		}
	})
	k.eachPod("kube_pod_container_status_terminated_reason", "Describes the reason the container is currently in terminated state.", func(p *pod, key podKey, from, to int64) {
		if p.completion() != 0 && p.reason != "" {
			k.samples(key("container", p.container, "reason", p.reason), "1", p.end, to, 15)
		}
	})
	k.eachPod("kube_pod_container_status_last_terminated_reason", "Describes the last reason the container was in terminated state.", func(p *pod, key podKey, from, to int64) {
		if len(p.crash) > 0 {
			k.samples(key("container", p.container, "reason", "Error"), "1", p.crash[0].from, to, 15)
		}
		k.restarts(p, to, func(i int, from, until int64) {
			if i > 0 {
				k.samples(key("container", p.container, "reason", p.restarts[i-1].reason), "1", from, until, 15)
			}
		})
	})
	k.eachPod("kube_pod_container_status_last_terminated_timestamp", "Last terminated time for a pod container in unix timestamp.", func(p *pod, key podKey, from, to int64) {
		k.restarts(p, to, func(i int, from, until int64) {
			if i > 0 {
				k.samples(key("container", p.container), strconv.FormatInt(p.restarts[i-1].at, 10), from, until, 15)
			}
		})
	})
	k.eachPod("kube_pod_container_status_restarts", "The number of container restarts per container.", func(p *pod, key podKey, from, to int64) {
		if len(p.slots) == 0 {
			return
		}
		k.restarts(p, to, func(i int, from, until int64) {
			k.samples(k.seriesKey("kube_pod_container_status_restarts_total", "namespace", p.ns, "pod", p.name, "uid", p.uid, "container", p.container), strconv.Itoa(i), from, until, 15)
		})
	})
}

// restarts goes through the lives of a pod's container, 0 before the first
// restart.
func (k *ksmDay) restarts(p *pod, to int64, life func(i int, from, until int64)) {
	for i := range len(p.restarts) + 1 {
		from, until := p.started, to
		if i > 0 {
			from = p.restarts[i-1].at
		}
		if i < len(p.restarts) {
			until = p.restarts[i].at
		}
		life(i, from, until)
	}
}

func (k *ksmDay) eachObject(kind, name, help string, fn func(o *object, from, to int64)) {
	k.family(name, "gauge", help)
	for _, o := range k.w.objects {
		to := k.w.to
		if o.removed != 0 {
			to = min(to, o.removed)
		}
		if from := max(o.created, k.w.from); o.kind == kind && k.alive(from, to) {
			fn(o, from, to)
		}
	}
}

func (k *ksmDay) others() {
	k.quotas()
	k.eachObject("ReplicaSet", "kube_replicaset_owner", "Information about the ReplicaSet's owner.", func(o *object, from, to int64) {
		k.samples(k.seriesKey("kube_replicaset_owner", "namespace", o.ns, "replicaset", o.name, "owner_kind", o.ownerKind, "owner_name", o.ownerName, "owner_is_controller", "true"), "1", from, to, 15)
	})
	k.eachObject("Job", "kube_job_created", "Unix creation timestamp.", func(o *object, from, to int64) {
		k.samples(k.seriesKey("kube_job_created", "namespace", o.ns, "job_name", o.name), strconv.FormatInt(o.created, 10), from, to, 15)
	})
	k.eachObject("Job", "kube_job_owner", "Information about the Job's owner.", func(o *object, from, to int64) {
		k.samples(k.seriesKey("kube_job_owner", "namespace", o.ns, "job_name", o.name, "owner_kind", "<none>", "owner_name", "<none>", "owner_is_controller", "<none>"), "1", from, to, 15)
	})
	number := func(name, help string, get func(*object) int64) {
		k.eachObject("Job", name, help, func(o *object, from, to int64) {
			k.samples(k.seriesKey(name, "namespace", o.ns, "job_name", o.name), strconv.FormatInt(get(o), 10), from, to, 15)
		})
	}
	number("kube_job_spec_completions", "The desired number of successfully finished pods.", func(o *object) int64 { return o.completions })
	number("kube_job_spec_parallelism", "The maximum desired number of pods.", func(o *object) int64 { return o.parallelism })
	k.eachObject("Job", "kube_job_status_failed", "The number of pods which reached Phase Failed.", func(o *object, from, to int64) {
		if o.failedReason != "" {
			k.samples(k.seriesKey("kube_job_status_failed", "namespace", o.ns, "job_name", o.name, "reason", o.failedReason), "1", o.failedAt, to, 15)
		}
	})
	k.eachObject("Job", "kube_job_status_suspended", "The number of jobs which are suspended.", func(o *object, from, to int64) {
		if len(o.suspended) > 0 {
			k.switching(k.seriesKey("kube_job_status_suspended", "namespace", o.ns, "job_name", o.name), o.suspended, "1", "0", from, to)
		}
	})
	k.eachObject("Namespace", "kube_namespace_labels", "Kubernetes labels converted to Prometheus labels.", func(o *object, from, to int64) {
		k.samples(k.seriesKey("kube_namespace_labels", append([]string{"namespace", o.name}, pairs(o.labels)...)...), "1", from, to, 60)
	})
}

// systemUUID is what the machine's firmware says of itself.
func (w *world) systemUUID(n *node) string {
	if w.site.provider == aws {
		return "ec2" + n.instanceID[4:]
	}
	return newRNG(w.cfg.Seed, 50, uint64(n.idx)).uuid()
}
