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

// Connect returns two clients of a cluster, one of its objects and one that says
// which kinds it has: those of a kubeconfig file and context, the file's current
// one when context is empty, or without a file those of the pod which gpuledger
// runs in.
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

// asking bounds each question what the cluster has; watches have no end.
const asking = 30 * time.Second

// Clients returns those of Connect for a configuration that is there already.
func Clients(of *rest.Config) (dynamic.Interface, rest.Interface, error) {
	config := rest.CopyConfig(of)
	config.UserAgent = "gpuledger"
	// One watcher reads whole lists at start: the defaults would pace it for minutes.
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
