// Package watch follows the objects of a Kubernetes cluster while gpuledger serves: pods,
// nodes, namespaces, the workload owners of the cluster's frameworks, resource claims, Kueue's
// workloads.
//
// It owns the informers, the removal of unused parts from objects before they are cached
// (environment, commands, volumes, managed fields), and the heartbeat: once a minute it emits
// that nodes, and pods that hold devices, still exist. Package kubernetes interprets the
// objects.
//
// Facts are queued in batches, ordered so that referenced objects come first. A pod whose
// deletion was missed ends when the next list lacks it. A kind that the cluster lacks, or does
// not permit to list, is named once and left out. No one waits for an answer: the next list
// repeats facts that a kill loses.
package watch
