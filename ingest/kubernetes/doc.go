// Package kubernetes turns objects of the Kubernetes API into facts: nodes,
// pods, namespaces, workload owners of all frameworks, resource claims and
// slices (DRA), HAMi's annotations, Kueue's workloads and queues.
//
// It owns what fields of objects mean. Objects come as the API writes them,
// from a watch (package watch below) or from files: kubectl get -o json or
// yaml, lists, several documents, one object per line.
//
// It guarantees that a pod holds from scheduling until its containers end,
// that completed pods hold nothing, and that what kube-state-metrics says of
// the same objects merges with it: names, kinds and times are the same, labels
// and requests of the API have precedence (ledger.FromAPI). Requests are
// effective ones: Σ containers and sidecars, or the largest init container.
// A device that a claim or an annotation names is a ledger.Placement.
//
// A file says what was when it was written, which it does not tell: the newest
// time that any of its objects holds stands for that (heartbeats of nodes are
// minutes apart), so that objects are seen at that instant.
//
// It refuses objects without name or kind. Environment variables, commands and
// secrets of pods are never read.
package kubernetes
