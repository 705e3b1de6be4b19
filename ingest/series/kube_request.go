package series

import (
	"strings"

	"gpuledger/internal/ledger"
)

// requestKind is the place of a number in the pod's specification.
type requestKind struct {
	init  bool // of an init container
	limit bool // counts if there is no request
}

type requestKey struct {
	container, resource string
	requestKind
}

// podRequests holds the newest request per container and resource.
type podRequests struct {
	byContainer map[requestKey]*latest[int64]
	// sidecars are init containers that keep running.
	sidecars map[string]bool
	at       int64
	age      uint32 // last use: see Age
}

// requestsOf returns a pod's requests, and creates them if missing.
func (c *Collector) requestsOf(k podKey) *podRequests {
	r := c.requests[k]
	if r == nil {
		r = &podRequests{byContainer: map[requestKey]*latest[int64]{}, sidecars: map[string]bool{}}
		c.requests[k] = r
	}
	r.age = c.age
	return r
}

// asksIn reports whether a container of the pod requests devices.
func (r *podRequests) asksIn(container string) bool {
	if r == nil {
		return false
	}
	for k, v := range r.byContainer {
		if k.container == container && v.value > 0 && extended(k.resource) {
			return true
		}
	}
	return false
}

// effective sums up a pod's requests: containers and sidecars together, or the largest init
// container if that is more (rule 4.2). A limit counts if the container has no request.
func (r *podRequests) effective() map[string]int64 {
	total, initial := map[string]int64{}, map[string]int64{}
	for k, v := range r.byContainer {
		if k.limit {
			asked := k
			asked.limit = false
			if r.byContainer[asked] != nil {
				continue
			}
		}
		if k.init && !r.sidecars[k.container] {
			initial[k.resource] = max(initial[k.resource], v.value)
		} else {
			total[k.resource] += v.value
		}
	}
	for resource, n := range initial {
		total[resource] = max(total[resource], n)
	}
	return total
}

// request records one container's request.
func (c *Collector) request(s *podSink, ms, n int64) {
	s.state(c)
	r := c.requestsOf(s.key)
	k := requestKey{s.container, s.text, s.request}
	have := r.byContainer[k]
	if have == nil {
		have = new(latest[int64])
		r.byContainer[k] = have
	}
	if ms > have.at || ms == have.at && n > have.value {
		have.at, have.value = ms, n
	}
	r.at = max(r.at, ms)
}

// sidecar records that an init container keeps running.
func (c *Collector) sidecar(s *podSink) {
	r := c.requestsOf(s.key)
	if !r.sidecars[s.container] {
		s.state(c)
		r.sidecars[s.container] = true
	}
}

// ofHost reports whether a resource belongs to the machine around the devices. Its requests are
// kept, since cost may be shared by them (docs/rules.md 8.22).
func ofHost(resource string) bool {
	return resource == ledger.ResourceCPU || resource == ledger.ResourceMemory
}

// requested reads a request; CPU is in thousandths.
func (s *podSink) requested(d Decimal) (int64, *Fault) {
	if s.text != ledger.ResourceCPU {
		return count(d)
	}
	if scaled, ok := d.Scale(1, 3); ok {
		d = scaled
	}
	return count(d)
}

// extended reports whether a resource is kept: a device.
func extended(resource string) bool { return ledger.DeviceResource(resource) }

// sanitised writes a resource's name as kube-state-metrics does in the series
// of pods and nodes.
func sanitised(resource string) string {
	return strings.Map(func(r rune) rune {
		if r < 128 && nameChar[r] {
			return r
		}
		return '_'
	}, resource)
}

var nameChar = func() (ok [128]bool) {
	for c := range ok {
		ok[c] = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
	}
	return ok
}()

// bindQuota resolves kube_resourcequota: a namespace's quota of devices, and its use.
func bindQuota(c *Collector, _ string, ls Labels) sink {
	resource, ok := strings.CutPrefix(ls.Get("resource"), "requests.")
	if resource = sanitised(resource); !ok || !extended(resource) {
		return refuse{Unmapped}
	}
	attr := "quota/"
	if ls.Get("type") == "used" {
		attr = "used/"
	}
	s := &objectSink{
		key: objectKey{c.cluster(ls), "ResourceQuota", ls.own("namespace"), ls.own("resourcequota")},
		m:   objectMetric{kind: "ResourceQuota", field: objectNumber, attr: attr + resource},
	}
	if s.key.name == "" || s.key.namespace == "" {
		return refuse{faultNoName}
	}
	return s
}
