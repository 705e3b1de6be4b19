package ledger

import "strings"

// Nodes of SageMaker HyperPod are billed by their cluster: a line gives only its ARN and the type of machine.
// Machines of one cluster and type share one key, that of their pool.

const poolPrefix = "hyperpod/"

// PoolKey reports whether a key stands for machines that are only ever billed together.
func PoolKey(key string) bool { return HyperPodPool(key) || NodePool(key) }

// HyperPodPool reports whether a key stands for machines of a HyperPod cluster.
func HyperPodPool(key string) bool { return strings.HasPrefix(key, poolPrefix) }

// HyperPodKey is the key of the machines of a type in the HyperPod cluster of an ARN
// (arn:aws:sagemaker:REGION:ACCOUNT:cluster/ID); empty for other resources.
func HyperPodKey(resource, instanceType string) string {
	service, cluster, found := strings.Cut(resource, ":cluster/")
	if !found || cluster == "" || strings.Contains(cluster, "/") || instanceType == "" ||
		!strings.Contains(service, ":sagemaker:") {
		return ""
	}
	return poolKey(cluster, instanceType)
}

// HyperPodNodeKey is that key for a node, from its provider id and type; empty for nodes outside HyperPod.
func HyperPodNodeKey(providerID, instanceType string) string {
	cluster, _, ok := hyperPod(providerID[strings.LastIndexByte(providerID, '/')+1:])
	if !ok || instanceType == "" {
		return ""
	}
	return poolKey(cluster, instanceType)
}

// poolKey also accepts types in the spelling of price lists: ml.g5.8xlarge-Cluster.
func poolKey(cluster, instanceType string) string {
	name := strings.TrimSuffix(strings.TrimPrefix(strings.ToLower(instanceType), "ml."), "-cluster")
	return poolPrefix + strings.ToLower(cluster) + "/ml." + name
}

// hyperPod splits hyperpod-CLUSTER-i-0abc.
func hyperPod(name string) (cluster, instance string, ok bool) {
	rest, found := strings.CutPrefix(name, "hyperpod-")
	at := strings.LastIndex(rest, "-i-")
	if !found || at <= 0 {
		return "", "", false
	}
	return rest[:at], rest[at+1:], true
}

// HyperPodType is the type of machine that a usage type of HyperPod bills:
// USE1-Cluster:ml.g5.12xlarge, or USE1-ReservedCluster:… under a training plan.
// It is empty for other usage types.
func HyperPodType(usageType string) string {
	head, name, _ := strings.Cut(usageType, ":")
	if !strings.HasSuffix(head[strings.LastIndexByte(head, '-')+1:], "Cluster") || !strings.HasPrefix(name, "ml.") {
		return ""
	}
	return name
}
