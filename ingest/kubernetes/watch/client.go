package watch

import (
	"fmt"

	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Connect returns clients of a cluster: that of a kubeconfig file and context,
// the file's current one when context is empty, or without a file that of the
// pod which gpuledger runs in.
func Connect(kubeconfig, context string) (dynamic.Interface, discovery.DiscoveryInterface, error) {
	var config *rest.Config
	var err error
	if kubeconfig == "" {
		config, err = rest.InClusterConfig()
	} else {
		config, err = clientcmd.NewNonInteractiveDeferredLoadingClientConfig(
			&clientcmd.ClientConfigLoadingRules{ExplicitPath: kubeconfig}, &clientcmd.ConfigOverrides{CurrentContext: context}).ClientConfig()
	}
	if err != nil {
		return nil, nil, fmt.Errorf("kubernetes: %w", err)
	}
	config.UserAgent = "gpuledger"
	// One watcher reads whole lists at start: the defaults would pace it for minutes.
	config.QPS, config.Burst = 50, 100
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, nil, fmt.Errorf("kubernetes: %w", err)
	}
	asked, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, nil, fmt.Errorf("kubernetes: %w", err)
	}
	return client, asked, nil
}
