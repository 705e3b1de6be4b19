package config

// Kubernetes is a cluster that serve watches.
type Kubernetes struct {
	// Cluster is its name in the ledger, the same as in its telemetry.
	Cluster string `yaml:"cluster"`
	// Kubeconfig names the file with address and credentials; empty: the
	// cluster that gpuledger itself runs in.
	Kubeconfig string `yaml:"kubeconfig,omitempty"`
	// Context names a context of that file; empty: the current one.
	Context string `yaml:"context,omitempty"`

	line int
}

func (c *Config) checkKubernetes(fault func(k *Kubernetes, format string, args ...any)) {
	seen := map[string]bool{}
	for i := range c.Kubernetes {
		k := &c.Kubernetes[i]
		switch {
		case k.Cluster == "":
			fault(k, "cluster is missing: name it as its telemetry does")
		case seen[k.Cluster]:
			fault(k, "the cluster is listed twice")
		case k.Context != "" && k.Kubeconfig == "":
			fault(k, "context has no meaning without kubeconfig")
		}
		seen[k.Cluster] = true
	}
}
