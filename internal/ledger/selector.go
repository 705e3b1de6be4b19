package ledger

// KindPodSelectors are objects with the labels by which a pod selects its machine; their name is the pod's UID. An
// attribute holds the keys of the labels, as spelled by kube-state-metrics, separated by blanks.
const (
	KindPodSelectors = "PodSelectors"

	PicksByAll          = "required"     // node selector and required node affinity: the API
	PicksByNodeSelector = "nodeSelector" // kube-state-metrics, which does not report affinity
)

// PicksByClaim stands for resource claims among the keys; claims name their devices themselves.
const PicksByClaim = "resource_k8s_io_claim"
