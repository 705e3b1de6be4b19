package fleetsim

import (
	"fmt"
	"strconv"
	"strings"
)

// Provider names who owns the machines of a cluster.
type Provider string

// Whose machines there are.
const (
	AWS   Provider = "aws"
	GCP   Provider = "gcp"
	Azure Provider = "azure"
	Owned Provider = "owned"
)

// Site is where a cluster runs: whose machines it uses, of which types, and
// how they are bought.
type Site struct {
	Provider         Provider
	cluster          string // empty: the configuration's
	Region, Currency string
	Account          string // sub-account of its machines' charges
	tag              string // key of the team in billing tags
	kernel, osImage  string
	events           bool   // EventBridge tells when instances end
	PlannedClass     string // price class of machines under a commitment
	Slurm            bool   // Slurm runs the machines, not Kubernetes
	hall, gpu        string // of owned machines
	// Instance types of the scenes; empty leaves the scene out.
	training, spot, cut, shared, serving, bench string
}

// The sites. AWS is always there, the others by configuration.
var (
	OnAWS = &Site{
		Provider: AWS, Region: region, Currency: "USD", Account: payer, tag: "user_team", events: true, PlannedClass: "savings_plan",
		kernel: "6.12.40-64.114.amzn2023.x86_64", osImage: "Amazon Linux 2023",
		training: "p5.48xlarge", spot: "g5.12xlarge", cut: "p4d.24xlarge", shared: "g6.12xlarge", serving: "g5.xlarge", bench: "g6.xlarge",
	}
	onGCP = &Site{
		Provider: GCP, cluster: "gke-vision", Region: "us-central1", Currency: "USD", Account: gcpProject, tag: "team", PlannedClass: "reserved",
		kernel: "6.6.97+", osImage: "Container-Optimized OS from Google",
		training: "a3-highgpu-8g", spot: "a2-highgpu-4g", serving: "g2-standard-12", bench: "g2-standard-8",
	}
	onAzure = &Site{
		Provider: Azure, cluster: "aks-speech", Region: "westeurope", Currency: "EUR", Account: azureSubscription, tag: "team", PlannedClass: "reserved",
		kernel: "5.15.0-1098-azure", osImage: "Ubuntu 22.04.5 LTS",
		training: "Standard_ND96asr_v4", spot: "Standard_NC24ads_A100_v4", serving: "Standard_NC24ads_A100_v4",
	}
	onMetal = &Site{
		Provider: Owned, cluster: "dc-ams", Region: "ams-1", Currency: "USD", tag: "team", PlannedClass: "owned",
		kernel: "5.15.0-1083-nvidia", osImage: "Ubuntu 22.04.5 LTS",
		training: "dgx-h100", hall: "hall-2", gpu: "H100",
	}
	onSlurm = &Site{
		Provider: Owned, cluster: "hpc-lyon", Region: "lyon-1", Currency: "USD", tag: "team", PlannedClass: "owned", Slurm: true,
		training: "dgx-a100", hall: "room-4", gpu: "A100",
	}
)

// identify names a new machine the way its provider does; n has its index,
// type, pool and price class.
func (b *builder) identify(n *Node) {
	r := b.r
	switch b.Site.Provider {
	case AWS:
		n.providerID = "aws:///" + n.Zone + "/" + n.InstanceID
	case GCP:
		n.Zone = b.Site.Region + "-" + string(rune('a'+r.between(0, 1)))
		n.Name = fmt.Sprintf("gke-%s-%s-%08x-%s", b.Config.Cluster, n.pool, b.poolHash(n.pool), r.word(4))
		n.numericID = strconv.FormatUint(1_000_000_000_000_000_000+r.next()%8_000_000_000_000_000_000, 10)
		n.providerID = "gce://" + gcpProject + "/" + n.Zone + "/" + n.Name
		n.InstanceID = "gce/" + n.numericID
		if n.nameOnly = n.pool == "bench-old"; n.nameOnly {
			n.InstanceID = "gce/" + gcpProject + "/" + n.Zone + "/" + n.Name
		}
	case Azure:
		n.Zone = b.Site.Region + "-" + strconv.FormatInt(r.between(1, 3), 10)
		n.setName = fmt.Sprintf("aks-%s-%d-vmss", n.pool, 10_000_000+b.poolHash(n.pool)%80_000_000)
		n.setIndex = b.inSet[n.setName]
		b.inSet[n.setName]++
		n.Name = fmt.Sprintf("%s%06s", n.setName, strconv.FormatInt(n.setIndex, 36))
		n.providerID = fmt.Sprintf("azure://%s%s/virtualMachines/%d", azureScaleSets(strings.ToLower(azureNodeGroup)), n.setName, n.setIndex)
		n.InstanceID = strings.ToLower(strings.TrimPrefix(n.providerID, "azure://"))
	case Owned:
		n.Zone = b.Site.hall
		n.Name = fmt.Sprintf("dgx-%02d.ams.acme.example", 1+len(b.Nodes))
		if b.Site.Slurm {
			n.Name = fmt.Sprintf("gpu-a100-%02d", 1+len(b.Nodes))
		}
		n.InstanceID = "node/" + b.Config.Cluster + "/" + n.Name
	}
}

// poolHash is the number that clouds put into the names of a pool's machines.
func (b *builder) poolHash(pool string) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range []byte(b.Config.Cluster + "/" + pool) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h >> 32
}

// nodeLabels are what kubelet and the cloud's controller put on the Node.
func (b *builder) nodeLabels(n *Node) []Label {
	l := []Label{
		{"label_node_kubernetes_io_instance_type", n.Type.Name},
		{"label_topology_kubernetes_io_region", b.Site.Region},
		{"label_topology_kubernetes_io_zone", n.Zone},
	}
	switch b.Site.Provider {
	case AWS:
		capacity := "ON_DEMAND"
		switch {
		case n.spot:
			capacity = "SPOT"
		case n.block:
			capacity = "CAPACITY_BLOCK"
		}
		l = append(l, Label{"label_eks_amazonaws_com_capacityType", capacity}, Label{"label_eks_amazonaws_com_nodegroup", n.pool})
	case GCP:
		provisioning := "standard"
		if n.spot {
			provisioning = "spot"
			l = append(l, Label{"label_cloud_google_com_gke_spot", "true"})
		}
		l = append(l, Label{"label_cloud_google_com_gke_provisioning", provisioning}, Label{"label_cloud_google_com_gke_nodepool", n.pool},
			Label{"label_cloud_google_com_gke_accelerator", n.Type.accelerator}, Label{"label_cloud_google_com_gke_accelerator_count", strconv.Itoa(n.Type.GPUs)})
	case Azure:
		if n.spot {
			l = append(l, Label{"label_kubernetes_azure_com_scalesetpriority", "spot"})
		}
		l = append(l, Label{"label_kubernetes_azure_com_agentpool", n.pool}, Label{"label_kubernetes_azure_com_cluster", azureNodeGroup})
	case Owned:
		l[0].value = "" // nobody labels bare metal with a type
	}
	return append(l, Label{"label_nvidia_com_gpu_product", strings.ReplaceAll(n.Type.Model, " ", "-")},
		Label{"label_nvidia_com_gpu_count", strconv.Itoa(n.Type.GPUs)}, Label{"label_nvidia_com_gpu_replicas", strconv.Itoa(n.Replicas)})
}

// PriceClass is rule 2.7.
func (w *World) PriceClass(n *Node) string {
	switch {
	case n.spot:
		return "spot"
	case n.block:
		return "reserved"
	case n.nameOnly: // no line of the bill is known to be its own
		return ""
	case n.planned && w.Billed(n):
		return w.Site.PlannedClass
	case w.Billed(n), w.Site.Provider == AWS:
		return n.boughtAs()
	}
	return "" // no label says it, and no bill yet
}

// boughtAs is the price class of a machine that is neither spot nor planned.
func (n *Node) boughtAs() string {
	if n.reserved != "" {
		return "reserved"
	}
	return "on_demand"
}

// Billed reports whether a bill names the node.
func (w *World) Billed(n *Node) bool { return n.Launch < w.BillTo }

// pool is the name of a node pool, which on AWS speaks of the machines.
func (b *builder) pool(onAWS, elsewhere string) string {
	if b.Site.Provider == AWS {
		return onAWS
	}
	return elsewhere
}
