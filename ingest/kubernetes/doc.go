// Package kubernetes turns objects of the Kubernetes API into facts: nodes,
// pods, namespaces, workload owners of all frameworks, resource claims and
// slices (DRA), HAMi's annotations, Kueue's workloads and queues.
//
// It owns the meaning of objects' fields. Objects come as the API writes them, from a watch
// (package watch below) or from files: kubectl get -o json or yaml, lists, several documents,
// one object per line.
//
// A pod holds from scheduling until its containers end, and completed pods hold nothing. Facts
// from kube-state-metrics about the same objects merge with these: names, kinds and times are
// the same, and the API's labels and requests take precedence (ledger.FromAPI). Requests are
// effective ones: Σ containers and sidecars, or the largest init container. A device that a
// claim or an annotation names is a ledger.Placement.
//
// A file does not contain the time of its writing. The newest time in any of its objects
// replaces it (heartbeats of nodes are minutes apart): all objects count as seen at that
// instant.
//
// It refuses objects without name or kind. Environment variables, commands and
// secrets of pods are never read.
package kubernetes
