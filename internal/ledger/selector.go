package ledger

// KindPodSelectors are objects that say by which labels of machines a pod picks
// its own; their name is the pod's UID. An attribute holds the keys of the
// labels, as kube-state-metrics writes them, with a blank between two.
const (
	KindPodSelectors = "PodSelectors"

	PicksByAll          = "required"     // node selector and required node affinity: the API
	PicksByNodeSelector = "nodeSelector" // kube-state-metrics, which tells no affinity of pods
)

// PicksByClaim stands among the keys for resource claims, which say themselves
// what devices they take.
const PicksByClaim = "resource_k8s_io_claim"
