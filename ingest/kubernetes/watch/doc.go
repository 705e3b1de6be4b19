// Package watch follows the objects of a Kubernetes cluster while gpuledger
// serves: pods, nodes, namespaces, workload owners of the frameworks that the
// cluster has, resource claims, Kueue's workloads.
//
// It owns the informers, what is stripped from objects before they are cached
// (environment, commands, volumes, managed fields), and the heartbeat: once a minute
// nodes, and pods that hold devices, are said to be there still. What objects
// mean is package kubernetes'.
//
// It guarantees that what was seen is handed on in batches in the order of what
// refers to what, that a pod whose deletion was missed ends when the next list
// lacks it, and that a kind the cluster does not have, or that it may not list,
// is named once and left out. Nothing waits for an answer: facts that a kill
// loses are told again by the next list.
package watch
