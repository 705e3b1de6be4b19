package world

import (
	"fmt"
	"strconv"
	"strings"
)

// Provider is the owner of a cluster's machines.
type Provider string

// Accounts and places: nodes and bills name these.
const (
	Payer             = "418330921577"
	Region            = "us-east-1"
	GCPProject        = "acme-vision-prod"
	AzureSubscription = "7d0b7c1e-3a55-4a5f-9d0e-6f1c2b3a4d5e"
	AzureNodeGroup    = "MC_acme-speech_aks-speech_westeurope"
)

// The owners of machines.
const (
	AWS   Provider = "aws"
	GCP   Provider = "gcp"
	Azure Provider = "azure"
	Owned Provider = "owned"
)

// Site is where a cluster runs: its provider, its machine types, and how they are bought.
type Site struct {
	Provider         Provider
	cluster          string // empty: the configuration's
	Region, Currency string
	Account          string // sub-account of its machines' charges
	tag              string // key of the team in billing tags
	Kernel, OsImage  string
	events           bool   // EventBridge reports when instances end
	PlannedClass     string // price class of machines under a commitment
	Slurm            bool   // Slurm runs the machines, not Kubernetes
	Hall, GPU        string // of owned machines
	// Instance types of the scenes; empty leaves the scene out.
	Training, Spot, cut, shared, Serving, Bench string
}

// The sites. AWS is always there, the others by configuration.
var (
	OnAWS = &Site{
		Provider: AWS, Region: Region, Currency: "USD", Account: Payer,
		tag: "user_team", events: true, PlannedClass: "savings_plan",
		Kernel: "6.12.40-64.114.amzn2023.x86_64", OsImage: "Amazon Linux 2023",
		Training: "p5.48xlarge", Spot: "g5.12xlarge", cut: "p4d.24xlarge",
		shared: "g6.12xlarge", Serving: "g5.xlarge", Bench: "g6.xlarge",
	}
	onGCP = &Site{
		Provider: GCP, cluster: "gke-vision", Region: "us-central1",
		Currency: "USD", Account: GCPProject, tag: "team", PlannedClass: "reserved",
		Kernel: "6.6.97+", OsImage: "Container-Optimized OS from Google",
		Training: "a3-highgpu-8g", Spot: "a2-highgpu-4g", Serving: "g2-standard-12", Bench: "g2-standard-8",
	}
	onAzure = &Site{
		Provider: Azure, cluster: "aks-speech", Region: "westeurope", Currency: "EUR",
		Account: AzureSubscription, tag: "team", PlannedClass: "reserved",
		Kernel: "5.15.0-1098-azure", OsImage: "Ubuntu 22.04.5 LTS",
		Training: "Standard_ND96asr_v4", Spot: "Standard_NC24ads_A100_v4", Serving: "Standard_NC24ads_A100_v4",
	}
	onMetal = &Site{
		Provider: Owned, cluster: "dc-ams", Region: "ams-1", Currency: "USD", tag: "team", PlannedClass: "owned",
		Kernel: "5.15.0-1083-nvidia", OsImage: "Ubuntu 22.04.5 LTS",
		Training: "dgx-h100", Hall: "hall-2", GPU: "H100",
	}
	onSlurm = &Site{
		Provider: Owned, cluster: "hpc-lyon", Region: "lyon-1",
		Currency: "USD", tag: "team", PlannedClass: "owned", Slurm: true,
		Training: "dgx-a100", Hall: "room-4", GPU: "A100",
	}
)

// identify names a new machine in its provider's form; n has its index, type, pool and price class.
func (b *builder) identify(n *Node) {
	r := b.r
	switch b.Site.Provider {
	case AWS:
		n.ProviderID = "aws:///" + n.Zone + "/" + n.InstanceID
	case GCP:
		n.Zone = b.Site.Region + "-" + string(rune('a'+r.Between(0, 1)))
		n.Name = fmt.Sprintf("gke-%s-%s-%08x-%s", b.Config.Cluster, n.Pool, b.poolHash(n.Pool), r.Word(4))
		n.NumericID = strconv.FormatUint(1_000_000_000_000_000_000+r.Next()%8_000_000_000_000_000_000, 10)
		n.ProviderID = "gce://" + GCPProject + "/" + n.Zone + "/" + n.Name
		n.InstanceID = "gce/" + n.NumericID
		if n.NameOnly = n.Pool == "bench-old"; n.NameOnly {
			n.InstanceID = "gce/" + GCPProject + "/" + n.Zone + "/" + n.Name
		}
	case Azure:
		n.Zone = b.Site.Region + "-" + strconv.FormatInt(r.Between(1, 3), 10)
		n.SetName = fmt.Sprintf("aks-%s-%d-vmss", n.Pool, 10_000_000+b.poolHash(n.Pool)%80_000_000)
		n.SetIndex = b.inSet[n.SetName]
		b.inSet[n.SetName]++
		n.Name = fmt.Sprintf("%s%06s", n.SetName, strconv.FormatInt(n.SetIndex, 36))
		n.ProviderID = fmt.Sprintf("azure://%s%s/virtualMachines/%d", AzureScaleSets(strings.ToLower(AzureNodeGroup)),
			n.SetName, n.SetIndex)
		n.InstanceID = strings.ToLower(strings.TrimPrefix(n.ProviderID, "azure://"))
	case Owned:
		n.Zone = b.Site.Hall
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

// nodeLabels are the labels that kubelet and the cloud's controller put on the Node.
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
		case n.Spot:
			capacity = "SPOT"
		case n.Block:
			capacity = "CAPACITY_BLOCK"
		}
		l = append(l, Label{"label_eks_amazonaws_com_capacityType", capacity}, Label{
			"label_eks_amazonaws_com_nodegroup", n.Pool,
		})
	case GCP:
		provisioning := "standard"
		if n.Spot {
			provisioning = "spot"
			l = append(l, Label{"label_cloud_google_com_gke_spot", "true"})
		}
		l = append(l, Label{"label_cloud_google_com_gke_provisioning", provisioning},
			Label{"label_cloud_google_com_gke_nodepool", n.Pool},
			Label{"label_cloud_google_com_gke_accelerator", n.Type.accelerator},
			Label{"label_cloud_google_com_gke_accelerator_count", strconv.Itoa(n.Type.GPUs)})
	case Azure:
		if n.Spot {
			l = append(l, Label{"label_kubernetes_azure_com_scalesetpriority", "spot"})
		}
		l = append(l, Label{"label_kubernetes_azure_com_agentpool", n.Pool}, Label{
			"label_kubernetes_azure_com_cluster", AzureNodeGroup,
		})
	case Owned:
		l[0].Value = "" // bare metal has no label of its type
	}
	return append(l, Label{"label_nvidia_com_gpu_product", strings.ReplaceAll(n.Type.Model, " ", "-")},
		Label{"label_nvidia_com_gpu_count", strconv.Itoa(n.Type.GPUs)},
		Label{"label_nvidia_com_gpu_replicas", strconv.Itoa(n.Replicas)})
}

// PriceClass is rule 2.7.
func (w *World) PriceClass(n *Node) string {
	switch {
	case n.Spot:
		return "spot"
	case n.Block:
		return "reserved"
	case n.NameOnly: // the bill has no line that is certainly its own
		return ""
	case n.Planned && w.Billed(n):
		return w.Site.PlannedClass
	case w.Billed(n), w.Site.Provider == AWS:
		return n.boughtAs()
	}
	return "" // no label has it, and there is no bill yet
}

// boughtAs is the price class of a machine that is neither spot nor planned.
func (n *Node) boughtAs() string {
	if n.Reserved != "" {
		return "reserved"
	}
	return "on_demand"
}

// Billed reports whether a bill names the node.
func (w *World) Billed(n *Node) bool { return n.Launch < w.BillTo }

// pool is the name of a node pool, which on AWS contains the machine type.
func (b *builder) pool(onAWS, elsewhere string) string {
	if b.Site.Provider == AWS {
		return onAWS
	}
	return elsewhere
}

// OwnedSince is when the machines went into service: before the cluster reports, and not on the hour; with a history,
// at its start.
func (w *World) OwnedSince() int64 {
	if w.Config.History > 0 {
		return w.From
	}
	return w.From - 6*3600 - 1800
}

// AzureScaleSets is the path of the scale sets of a group.
func AzureScaleSets(group string) string {
	return "/subscriptions/" + AzureSubscription + "/resourceGroups/" + group +
		"/providers/Microsoft.Compute/virtualMachineScaleSets/"
}
