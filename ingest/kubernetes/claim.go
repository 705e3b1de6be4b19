package kubernetes

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"gpuledger/internal/ledger"
)

// claims links resource claims to devices and pods (DRA, resource.k8s.io). A claim, the slice
// that lists its devices, and its pods arrive in any order.
type claims struct {
	devices map[deviceKey]claimDevice
	claims  map[string]*claim          // by namespace/name
	byPod   map[string]map[string]bool // UID → claims that are reserved for it
	pods    map[string]claimPod        // UID → a pod that names claims
	users   map[string]map[string]bool // claim → UIDs of pods that name it
}

// deviceKey identifies a device in a claim.
type deviceKey struct{ driver, pool, device string }

// claimDevice is a device in a resource slice.
type claimDevice struct {
	node    string
	uuid    string // of the physical GPU
	profile string // of a MIG device
}

type claim struct {
	results []deviceKey
	pods    []string // UIDs
}

// claimPod is the data that is emitted again when a claim of the pod becomes known.
type claimPod struct {
	fact   ledger.WorkloadFact
	own    map[string]int64 // requests without claims
	claims []string
}

func newClaims() *claims {
	return &claims{
		devices: map[deviceKey]claimDevice{}, claims: map[string]*claim{}, byPod: map[string]map[string]bool{},
		pods: map[string]claimPod{}, users: map[string]map[string]bool{},
	}
}

// forget drops a deleted pod.
func (x *claims) forget(uid string) {
	for _, name := range x.pods[uid].claims {
		delete(x.users[name], uid)
	}
	delete(x.pods, uid)
	delete(x.byPod, uid)
}

// pod adds the devices of the pod's claims to its requests: the pod holds them without
// requesting an extended resource.
func (x *claims) pod(f *ledger.WorkloadFact, p *corev1.Pod) {
	var names []string
	for _, ref := range p.Spec.ResourceClaims {
		if ref.ResourceClaimName != nil {
			names = append(names, p.Namespace+"/"+*ref.ResourceClaimName)
		}
	}
	for _, s := range p.Status.ResourceClaimStatuses {
		if s.ResourceClaimName != nil {
			names = append(names, p.Namespace+"/"+*s.ResourceClaimName)
		}
	}
	if len(names) == 0 {
		return
	}
	slices.Sort(names)
	names = slices.Compact(names)
	for _, name := range names {
		if x.users[name] == nil {
			x.users[name] = map[string]bool{}
		}
		x.users[name][f.UID] = true
	}
	kept := claimPod{fact: *f, own: f.Requests, claims: names}
	f.Requests = x.requests(kept)
	x.pods[f.UID] = kept
}

func (x *claims) requests(p claimPod) map[string]int64 {
	out := maps.Clone(p.own)
	if out == nil {
		out = map[string]int64{}
	}
	for _, name := range p.claims {
		if x.claims[name] == nil {
			continue
		}
		for _, r := range x.claims[name].results {
			if !gpuDriver(r.driver) {
				continue
			}
			resource := ledger.ResourceGPU
			if d := x.devices[r]; d.profile != "" {
				resource = ledger.ResourceMIGPrefix + sanitised(strings.ReplaceAll(d.profile, "+", "."))
			}
			out[resource]++
		}
	}
	return out
}

// gpuDriver reports whether a DRA driver allocates GPUs or similar devices.
func gpuDriver(driver string) bool {
	kind, _, _ := strings.Cut(driver, ".")
	return slices.Contains([]string{"gpu", "mig", "tpu", "neuron", "gaudi", "npu"}, kind)
}

// placements are the devices that a pod gets from its reserved claims. MIG devices have no GPU
// instance id here: their profile is in the requests.
func (x *claims) placements(cluster, uid string) []ledger.Placement {
	var out []ledger.Placement
	for _, name := range slices.Sorted(maps.Keys(x.byPod[uid])) {
		for _, r := range x.claims[name].results {
			d, known := x.devices[r]
			if !known || d.uuid == "" || d.profile != "" {
				continue
			}
			out = append(out, ledger.Placement{
				Cluster: cluster, Node: d.node, Device: d.uuid, SliceID: ledger.WholeDevice, Workload: uid,
				Evidence: ledger.EvidenceClaim, CoreShare: -1, MemoryShare: -1,
			})
		}
	}
	return out
}

// claim reads a ResourceClaim of v1, v1beta1 or v1beta2.
func (c *Converter) claim(t *ledger.Telemetry, o *Object, seenMS int64) error {
	name := o.GetNamespace() + "/" + o.GetName()
	x := c.claims
	one := &claim{}
	for _, r := range list(o.Object, "status", "allocation", "devices", "results") {
		one.results = append(one.results, deviceKey{text(r, "driver"), text(r, "pool"), text(r, "device")})
	}
	for _, r := range list(o.Object, "status", "reservedFor") {
		if text(r, "resource") == "pods" {
			one.pods = append(one.pods, text(r, "uid"))
		}
	}
	if old := x.claims[name]; old != nil {
		for _, uid := range old.pods {
			delete(x.byPod[uid], name)
		}
	}
	x.claims[name] = one
	for _, uid := range one.pods {
		if x.byPod[uid] == nil {
			x.byPod[uid] = map[string]bool{}
		}
		x.byPod[uid][name] = true
	}
	x.again(t, c.cluster, name, seenMS)
	return nil
}

// again emits what the pods of a claim hold now.
func (x *claims) again(t *ledger.Telemetry, cluster, name string, seenMS int64) {
	for _, uid := range slices.Sorted(maps.Keys(x.users[name])) {
		p := x.pods[uid]
		f := p.fact
		f.Requests, f.AttrsAt = x.requests(p), ledger.AttrsOrder(ledger.FromAPI, seenMS)
		t.Workloads = append(t.Workloads, f)
	}
	if x.claims[name] == nil {
		return
	}
	for _, uid := range x.claims[name].pods {
		t.Placements = append(t.Placements, x.placements(cluster, uid)...)
	}
}

// slice reads a ResourceSlice: a driver's devices on a node. Attributes are directly under a
// device in v1 and under basic in v1beta1; their names may be qualified by the driver's domain.
func (c *Converter) slice(t *ledger.Telemetry, o *Object, seenMS int64) error {
	spec, _, err := unstructured.NestedMap(o.Object, "spec")
	if err != nil {
		return err
	}
	driver, node := text(spec, "driver"), text(spec, "nodeName")
	pool, _, err := unstructured.NestedString(o.Object, "spec", "pool", "name")
	if err != nil {
		return err
	}
	fresh := map[deviceKey]bool{}
	for _, d := range list(o.Object, "spec", "devices") {
		attributes, ok := d["attributes"].(map[string]any)
		if basic, old := d["basic"].(map[string]any); !ok && old {
			attributes, _ = basic["attributes"].(map[string]any)
		}
		one := claimDevice{node: node, uuid: attribute(attributes, "uuid")}
		if attribute(attributes, "type") == "mig" || attribute(attributes, "parentUUID") != "" {
			one.uuid, one.profile = attribute(attributes, "parentUUID"), attribute(attributes, "profile")
		}
		k := deviceKey{driver, pool, text(d, "name")}
		if c.claims.devices[k] != one {
			c.claims.devices[k], fresh[k] = one, true
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(c.claims.claims)) {
		if slices.ContainsFunc(c.claims.claims[name].results, func(k deviceKey) bool { return fresh[k] }) {
			c.claims.again(t, c.cluster, name, seenMS)
		}
	}
	return nil
}

// attribute is the string of a device's attribute, whatever domain qualifies its name.
func attribute(attributes map[string]any, name string) string {
	for k, v := range attributes {
		if _, short, qualified := strings.Cut(k, "/"); k == name || qualified && short == name {
			if m, ok := v.(map[string]any); ok {
				return text(m, "string")
			}
		}
	}
	return ""
}

// list is the list of maps at a path; elements of other types are left out.
func list(o map[string]any, path ...string) []map[string]any {
	all, _, err := unstructured.NestedSlice(o, path...)
	if err != nil {
		return nil // not the schema's type: unreadable
	}
	var out []map[string]any
	for _, one := range all {
		if m, ok := one.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

func text(m map[string]any, key string) string {
	s, _ := m[key].(string)
	return s
}
