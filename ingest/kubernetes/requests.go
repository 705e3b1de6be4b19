package kubernetes

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"gpuledger/internal/ledger"
)

// device reports whether a resource is an accelerator or a share of one.
func device(resource string) bool { return ledger.DeviceResource(sanitised(resource)) }

// requestsOf are the effective requests of a pod (docs/rules.md 4.2): Σ containers and
// sidecars, or, if that is more, the largest init container with the sidecars started before
// it.
func requestsOf(spec *corev1.PodSpec) map[string]int64 { return effective(spec, addTo) }

// allRequestsOf are requestsOf with CPU (thousandths) and memory (bytes), by which a node's
// host may be shared (docs/rules.md 8.22).
func allRequestsOf(spec *corev1.PodSpec) map[string]int64 {
	return effective(spec, func(total map[string]int64, c *corev1.Container) {
		addTo(total, c)
		if q := c.Resources.Requests.Cpu().MilliValue(); q > 0 {
			total[ledger.ResourceCPU] += q
		}
		if q := c.Resources.Requests.Memory().Value(); q > 0 {
			total[ledger.ResourceMemory] += q
		}
	})
}

// resized is a pod's specification with its containers' actual resources, if its status has
// them (KEP-1287): a pod that is resized in place holds the resources in its status until the
// kubelet has applied its specification. A resource that is not in the status stays as
// specified.
func resized(p *corev1.Pod) *corev1.PodSpec {
	has := map[string]corev1.ResourceList{}
	for _, list := range [...][]corev1.ContainerStatus{p.Status.InitContainerStatuses, p.Status.ContainerStatuses} {
		for i := range list {
			s := &list[i]
			if s.Resources != nil && len(s.Resources.Requests) > 0 {
				has[s.Name] = s.Resources.Requests
			} else if len(s.AllocatedResources) > 0 {
				has[s.Name] = s.AllocatedResources
			}
		}
	}
	if len(has) == 0 {
		return &p.Spec
	}
	spec := p.Spec
	for _, list := range [...]*[]corev1.Container{&spec.InitContainers, &spec.Containers} {
		*list = slices.Clone(*list)
		for i := range *list {
			c := &(*list)[i]
			if len(has[c.Name]) == 0 {
				continue
			}
			requests := maps.Clone(c.Resources.Requests)
			if requests == nil {
				requests = corev1.ResourceList{}
			}
			maps.Copy(requests, has[c.Name])
			c.Resources.Requests = requests
		}
	}
	return &spec
}

func effective(spec *corev1.PodSpec, add func(total map[string]int64, c *corev1.Container)) map[string]int64 {
	total, initial := map[string]int64{}, map[string]int64{}
	sidecars := map[string]int64{}
	for i := range spec.InitContainers {
		c := &spec.InitContainers[i]
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			add(sidecars, c)
			continue
		}
		one := map[string]int64{}
		maps.Copy(one, sidecars)
		add(one, c)
		for r, n := range one {
			initial[r] = max(initial[r], n)
		}
	}
	for i := range spec.Containers {
		add(total, &spec.Containers[i])
	}
	for r, n := range sidecars {
		total[r] += n
	}
	for r, n := range initial {
		total[r] = max(total[r], n)
	}
	return total
}

// addTo adds a container's requests. For extended resources the request equals the limit, and
// either may be missing.
func addTo(total map[string]int64, c *corev1.Container) {
	seen := map[corev1.ResourceName]bool{}
	for _, list := range []corev1.ResourceList{c.Resources.Requests, c.Resources.Limits} {
		for name, q := range list {
			if !seen[name] && device(string(name)) && q.Value() > 0 {
				seen[name] = true
				total[sanitised(string(name))] += q.Value()
			}
		}
	}
}

// asksForDevices reports whether requests include anything but CPU and memory.
func asksForDevices(requests map[string]int64) bool {
	for name := range requests {
		if name != ledger.ResourceCPU && name != ledger.ResourceMemory {
			return true
		}
	}
	return false
}

// usesDevices reports whether a container requests any accelerator.
func usesDevices(c *corev1.Container) bool {
	one := map[string]int64{}
	addTo(one, c)
	return len(one) > 0 || len(c.Resources.Claims) > 0
}

// Holds reports whether a pod can hold a device now: it requests one, or has claims or
// annotations of one (or of one for other pods), and has not ended.
func Holds(o *Object) bool {
	p, err := into[corev1.Pod](o)
	if err != nil || terminal(p.Status.Phase) {
		return false
	}
	return len(requestsOf(&p.Spec)) > 0 || len(p.Spec.ResourceClaims) > 0 || sharesCards(p)
}
