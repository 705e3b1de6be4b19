package watch

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Connect returns two clients of a cluster, one for its objects and one that lists its kinds.
// They use a kubeconfig file and context (an empty context means the file's current one);
// without a file, they use the configuration of gpuledger's own pod.
func Connect(kubeconfig, context string) (dynamic.Interface, rest.Interface, error) {
	var config *rest.Config
	var err error
	if kubeconfig == "" {
		config, err = rest.InClusterConfig()
	} else {
		config, err = clientcmd.NewNonInteractiveDeferredLoadingClientConfig(
			&clientcmd.ClientConfigLoadingRules{ExplicitPath: kubeconfig},
			&clientcmd.ConfigOverrides{CurrentContext: context}).ClientConfig()
	}
	if err != nil {
		return nil, nil, fmt.Errorf("kubernetes: %w", err)
	}
	return Clients(config)
}

// asking bounds each request for the cluster's kinds; watches have no time limit.
const asking = 30 * time.Second

// Clients returns Connect's clients for an existing configuration.
func Clients(of *rest.Config) (dynamic.Interface, rest.Interface, error) {
	config := rest.CopyConfig(of)
	config.UserAgent = "gpuledger"
	// A single watcher reads whole lists at start, for which the default limits would take
	// minutes.
	config.QPS, config.Burst = 50, 100
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, nil, fmt.Errorf("kubernetes: %w", err)
	}
	config.Timeout = asking
	config.GroupVersion = &schema.GroupVersion{}
	config.NegotiatedSerializer = serializer.NewCodecFactory(runtime.NewScheme()).WithoutConversion()
	api, err := rest.UnversionedRESTClientFor(config)
	if err != nil {
		return nil, nil, fmt.Errorf("kubernetes: %w", err)
	}
	return client, api, nil
}
