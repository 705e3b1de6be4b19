package ledger

import (
	"slices"
	"strings"
)

// How bills and machines name the cluster that they belong to (docs/rules.md, 8.9). Names of clusters are compared in
// the form of FoldCluster.

// FoldCluster is the form in which cluster names are compared: tags and labels may have changed characters other than
// letters and digits.
func FoldCluster(name string) string { return keySeparators.Replace(strings.ToLower(name)) }

const (
	serviceEKS = "AmazonEKS"
	serviceAKS = "Azure Kubernetes Service"
)

// ControlPlane reports whether a charge bills the control plane of any cluster (rule 8.9). The services that bill it
// also bill other things: pods on Fargate or Autopilot, and the management of machines.
func ControlPlane(c *Charge) bool {
	if c.InstanceID != "" || c.InstanceHours {
		return false
	}
	switch {
	case c.ServiceCode == serviceEKS:
		if strings.Contains(c.ResourceID, ":pod/") {
			return false
		}
		for _, other := range []string{"fargate", "eks-auto", "hybrid", "eks-ec2-", "capabilit"} {
			if strings.Contains(strings.ToLower(c.UsageType), other) || strings.Contains(strings.ToLower(c.Description), other) {
				return false
			}
		}
		return true
	case strings.HasPrefix(c.ServiceName, serviceAKS):
		return true
	case c.ServiceName == "Kubernetes Engine", c.ServiceName == "Google Kubernetes Engine":
		return strings.Contains(c.Description, "Kubernetes Clusters") || strings.Contains(c.UsageType, "Kubernetes Clusters")
	}
	return false
}

// ManagedMachine reports whether a charge is EKS's fee for managing a machine (Auto Mode). It is part of the
// machine's price, and the machine's own line carries its time.
func ManagedMachine(c *Charge) bool { return c.ServiceCode == serviceEKS }

// ClustersOfLine lists the names of the cluster whose control plane a charge bills; empty if it names none.
func ClustersOfLine(c *Charge) []string {
	lower := strings.ToLower(c.ResourceID)
	for _, marker := range []string{"/managedclusters/", "/clusters/", "cluster/"} {
		at := strings.LastIndex(lower, marker)
		if at < 0 {
			continue
		}
		name, _, _ := strings.Cut(lower[at+len(marker):], "/")
		if name == "" {
			continue
		}
		out := []string{FoldCluster(name)}
		if group := azureGroup(lower); group != "" {
			out = append(out, FoldCluster(nodeGroup+group+"_"+name))
		}
		return out
	}
	if c.ResourceID != "" && !strings.ContainsAny(c.ResourceID, "/:") { // Google may give the name alone
		return []string{FoldCluster(c.ResourceID)}
	}
	return taggedClusters(c.Tags)
}

// nodeGroup begins the resource group of the machines of an AKS cluster:
// mc_GROUP_CLUSTER_REGION.
const nodeGroup = "mc_"

// azureGroup is the resource group in a resource id of Azure; id is in lower case.
func azureGroup(id string) string {
	_, rest, found := strings.Cut(id, "/resourcegroups/")
	if !found {
		return ""
	}
	group, _, _ := strings.Cut(rest, "/")
	return group
}

// ClustersOf lists the names that the cluster of a machine may have on a bill: its name at import, and those in its
// labels and tags. For a machine in the resource group that Azure created for a cluster it lists only the group's
// name, since names repeat in other groups.
func ClustersOf(n *Node) []string {
	for _, key := range append([]string{n.ProviderID}, n.Keys...) {
		group := azureGroup(strings.ToLower(key))
		if at := strings.LastIndexByte(group, '_'); strings.HasPrefix(group, nodeGroup) && at > len(nodeGroup) {
			return []string{FoldCluster(group[:at])} // without the region
		}
	}
	out := append(taggedClusters(n.Labels), taggedClusters(n.Tags)...)
	if n.Cluster != "" {
		out = append(out, FoldCluster(n.Cluster))
	}
	return out
}

// BilledClusters lists, in lower case, the names and ids by which a provider may bill the machines of n's cluster
// together: its name at import, and the values of labels that end in cluster-name or cluster-id. It is empty for a
// machine that is not known by its bare name (rule 2.1), because its provider bills machines by id.
func BilledClusters(n *Node) []string {
	if n.Name == "" || !slices.Contains(n.Keys, strings.ToLower(n.Name)) {
		return nil
	}
	names := []string{n.Cluster}
	for label, value := range n.Labels {
		if key := FoldKey(label); strings.HasSuffix(key, "clustername") || strings.HasSuffix(key, "clusterid") {
			names = append(names, value)
		}
	}
	for i, name := range names {
		name = strings.ToLower(strings.TrimSpace(name))
		names[i] = name[strings.LastIndexByte(name, '/')+1:]
	}
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool { return name == "" })
}

// clusterKeys are tags and labels, folded, whose value names a cluster.
var clusterKeys = map[string]bool{
	"awseksclustername": true, "eksclustername": true, "ekseksclustername": true, "alphaeksctlioclustername": true,
	"googk8sclustername": true, "aksmanagedclustername": true,
}

// inKey is the prefix of tags that name a cluster in their key: kubernetes.io/cluster/NAME = owned.
const inKey = "kubernetesiocluster"

// taggedClusters lists the clusters that tags or labels name, in their order.
func taggedClusters(tags map[string]string) []string {
	var out []string
	for k, v := range tags {
		key := FoldKey(k)
		if name, found := strings.CutPrefix(key, inKey); found && name != "" {
			out = append(out, name)
		} else if clusterKeys[key] && v != "" {
			out = append(out, FoldCluster(v))
		}
	}
	slices.Sort(out)
	return out
}
