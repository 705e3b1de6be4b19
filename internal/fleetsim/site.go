package fleetsim

import (
	"fmt"
	"strconv"
	"strings"
)

// provider names who owns the machines of a cluster.
type provider string

const (
	aws   provider = "aws"
	gcp   provider = "gcp"
	azure provider = "azure"
	owned provider = "owned"
)

// site is where a cluster runs: whose machines it uses, of which types, and
// how they are bought.
type site struct {
	provider         provider
	cluster          string // empty: the configuration's
	region, currency string
	account          string // sub-account of its machines' charges
	tag              string // key of the team in billing tags
	kernel, osImage  string
	events           bool   // EventBridge tells when instances end
	plannedClass     string // price class of machines under a commitment
	slurm            bool   // Slurm runs the machines, not Kubernetes
	hall, gpu        string // of owned machines
	// Instance types of the scenes; empty leaves the scene out.
	training, spot, cut, shared, serving, bench string
}

// The sites. AWS is always there, the others by configuration.
var (
	onAWS = &site{
		provider: aws, region: region, currency: "USD", account: payer, tag: "user_team", events: true, plannedClass: "savings_plan",
		kernel: "6.12.40-64.114.amzn2023.x86_64", osImage: "Amazon Linux 2023",
		training: "p5.48xlarge", spot: "g5.12xlarge", cut: "p4d.24xlarge", shared: "g6.12xlarge", serving: "g5.xlarge", bench: "g6.xlarge",
	}
	onGCP = &site{
		provider: gcp, cluster: "gke-vision", region: "us-central1", currency: "USD", account: gcpProject, tag: "team", plannedClass: "reserved",
		kernel: "6.6.97+", osImage: "Container-Optimized OS from Google",
		training: "a3-highgpu-8g", spot: "a2-highgpu-4g", serving: "g2-standard-12", bench: "g2-standard-8",
	}
	onAzure = &site{
		provider: azure, cluster: "aks-speech", region: "westeurope", currency: "EUR", account: azureSubscription, tag: "team", plannedClass: "reserved",
		kernel: "5.15.0-1098-azure", osImage: "Ubuntu 22.04.5 LTS",
		training: "Standard_ND96asr_v4", spot: "Standard_NC24ads_A100_v4", serving: "Standard_NC24ads_A100_v4",
	}
	onMetal = &site{
		provider: owned, cluster: "dc-ams", region: "ams-1", currency: "USD", tag: "team", plannedClass: "owned",
		kernel: "5.15.0-1083-nvidia", osImage: "Ubuntu 22.04.5 LTS",
		training: "dgx-h100", hall: "hall-2", gpu: "H100",
	}
	onSlurm = &site{
		provider: owned, cluster: "hpc-lyon", region: "lyon-1", currency: "USD", tag: "team", plannedClass: "owned", slurm: true,
		training: "dgx-a100", hall: "room-4", gpu: "A100",
	}
)

// identify names a new machine the way its provider does; n has its index,
// type, pool and price class.
func (b *builder) identify(n *node) {
	r := b.r
	switch b.site.provider {
	case aws:
		n.providerID = "aws:///" + n.zone + "/" + n.instanceID
	case gcp:
		n.zone = b.site.region + "-" + string(rune('a'+r.between(0, 1)))
		n.name = fmt.Sprintf("gke-%s-%s-%08x-%s", b.cfg.Cluster, n.pool, b.poolHash(n.pool), r.word(4))
		n.numericID = strconv.FormatUint(1_000_000_000_000_000_000+r.next()%8_000_000_000_000_000_000, 10)
		n.providerID = "gce://" + gcpProject + "/" + n.zone + "/" + n.name
		n.instanceID = "gce/" + n.numericID
		if n.nameOnly = n.pool == "bench-old"; n.nameOnly {
			n.instanceID = "gce/" + gcpProject + "/" + n.zone + "/" + n.name
		}
	case azure:
		n.zone = b.site.region + "-" + strconv.FormatInt(r.between(1, 3), 10)
		n.setName = fmt.Sprintf("aks-%s-%d-vmss", n.pool, 10_000_000+b.poolHash(n.pool)%80_000_000)
		n.setIndex = b.inSet[n.setName]
		b.inSet[n.setName]++
		n.name = fmt.Sprintf("%s%06s", n.setName, strconv.FormatInt(n.setIndex, 36))
		n.providerID = fmt.Sprintf("azure://%s%s/virtualMachines/%d", azureScaleSets(strings.ToLower(azureNodeGroup)), n.setName, n.setIndex)
		n.instanceID = strings.ToLower(strings.TrimPrefix(n.providerID, "azure://"))
	case owned:
		n.zone = b.site.hall
		n.name = fmt.Sprintf("dgx-%02d.ams.acme.example", 1+len(b.nodes))
		if b.site.slurm {
			n.name = fmt.Sprintf("gpu-a100-%02d", 1+len(b.nodes))
		}
		n.instanceID = "node/" + b.cfg.Cluster + "/" + n.name
	}
}

// poolHash is the number that clouds put into the names of a pool's machines.
func (b *builder) poolHash(pool string) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range []byte(b.cfg.Cluster + "/" + pool) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h >> 32
}

// nodeLabels are what kubelet and the cloud's controller put on the Node.
func (b *builder) nodeLabels(n *node) []label {
	l := []label{
		{"label_node_kubernetes_io_instance_type", n.typ.name},
		{"label_topology_kubernetes_io_region", b.site.region},
		{"label_topology_kubernetes_io_zone", n.zone},
	}
	switch b.site.provider {
	case aws:
		capacity := "ON_DEMAND"
		switch {
		case n.spot:
			capacity = "SPOT"
		case n.block:
			capacity = "CAPACITY_BLOCK"
		}
		l = append(l, label{"label_eks_amazonaws_com_capacityType", capacity}, label{"label_eks_amazonaws_com_nodegroup", n.pool})
	case gcp:
		provisioning := "standard"
		if n.spot {
			provisioning = "spot"
			l = append(l, label{"label_cloud_google_com_gke_spot", "true"})
		}
		l = append(l, label{"label_cloud_google_com_gke_provisioning", provisioning}, label{"label_cloud_google_com_gke_nodepool", n.pool},
			label{"label_cloud_google_com_gke_accelerator", n.typ.accelerator}, label{"label_cloud_google_com_gke_accelerator_count", strconv.Itoa(n.typ.gpus)})
	case azure:
		if n.spot {
			l = append(l, label{"label_kubernetes_azure_com_scalesetpriority", "spot"})
		}
		l = append(l, label{"label_kubernetes_azure_com_agentpool", n.pool}, label{"label_kubernetes_azure_com_cluster", azureNodeGroup})
	case owned:
		l[0].value = "" // nobody labels bare metal with a type
	}
	return append(l, label{"label_nvidia_com_gpu_product", strings.ReplaceAll(n.typ.model, " ", "-")},
		label{"label_nvidia_com_gpu_count", strconv.Itoa(n.typ.gpus)}, label{"label_nvidia_com_gpu_replicas", strconv.Itoa(n.replicas)})
}

// priceClass is rule 2.7.
func (w *world) priceClass(n *node) string {
	switch {
	case n.spot:
		return "spot"
	case n.block:
		return "reserved"
	case n.nameOnly: // no line of the bill is known to be its own
		return ""
	case n.planned && w.billed(n):
		return w.site.plannedClass
	case w.billed(n), w.site.provider == aws:
		return n.boughtAs()
	}
	return "" // no label says it, and no bill yet
}

// boughtAs is the price class of a machine that is neither spot nor planned.
func (n *node) boughtAs() string {
	if n.reserved != "" {
		return "reserved"
	}
	return "on_demand"
}

// billed reports whether a bill names the node.
func (w *world) billed(n *node) bool { return n.launch < w.billTo }

// pool is the name of a node pool, which on AWS speaks of the machines.
func (b *builder) pool(onAWS, elsewhere string) string {
	if b.site.provider == aws {
		return onAWS
	}
	return elsewhere
}
