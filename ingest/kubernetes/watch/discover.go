package watch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"gpuledger/ingest/kubernetes"
)

// kind is one resource of the cluster.
type kind struct {
	name     string
	resource schema.GroupVersionResource
}

// discover finds which of the kinds the cluster has, in their preferred version. It uses the
// plain client: client-go's discovery package imports the types and schemas of every kind, over
// a hundred packages.
func discover(ctx context.Context, api rest.Interface) ([]kind, error) {
	groups, err := groupsOf(ctx, api)
	if err != nil {
		return nil, fmt.Errorf("list the resources of the cluster: %w", err)
	}
	wanted := append(kubernetes.Kinds(), "Pod", "Node")
	var out []kind
	var failed []error
	for _, group := range groups {
		has := map[string]bool{}
		for _, version := range group.Versions {
			gv := schema.GroupVersion{Group: group.Name, Version: version.Version}
			resources, err := resourcesOf(ctx, api, gv)
			if err != nil { // one group may fail while others answer
				failed = append(failed, err)
				continue
			}
			for _, r := range resources {
				if has[r.Name] || strings.Contains(r.Name, "/") {
					continue
				}
				has[r.Name] = true
				if slices.Contains(wanted, r.Kind) && slices.Contains(r.Verbs, "watch") && !foreign(r.Kind, gv.Group) {
					out = append(out, kind{r.Kind, gv.WithResource(r.Name)})
				}
			}
		}
	}
	if !slices.ContainsFunc(out, func(k kind) bool { return k.name == "Pod" }) {
		return nil, errors.Join(append(failed, errors.New("the cluster does not let gpuledger watch pods: "+
			"give its service account the rules under watch.rules of the Helm chart"))...)
	}
	return out, nil
}

// groupsOf lists the groups of the API, each with its preferred version first.
func groupsOf(ctx context.Context, api rest.Interface) ([]metav1.APIGroup, error) {
	var named metav1.APIGroupList
	if err := get(ctx, api, "/apis", &named); err != nil {
		return nil, err
	}
	for _, g := range named.Groups {
		if i := slices.Index(g.Versions, g.PreferredVersion); i > 0 {
			copy(g.Versions[1:i+1], g.Versions[:i])
			g.Versions[0] = g.PreferredVersion
		}
	}
	core := metav1.APIGroup{Versions: []metav1.GroupVersionForDiscovery{{GroupVersion: "v1", Version: "v1"}}}
	return append([]metav1.APIGroup{core}, named.Groups...), nil
}

func resourcesOf(ctx context.Context, api rest.Interface, of schema.GroupVersion) ([]metav1.APIResource, error) {
	path := "/apis/" + of.String()
	if of.Group == "" {
		path = "/api/" + of.Version
	}
	var list metav1.APIResourceList
	err := get(ctx, api, path, &list)
	return list.APIResources, err
}

func get(ctx context.Context, api rest.Interface, path string, into any) error {
	body, err := api.Get().AbsPath(path).SetHeader("Accept", "application/json").DoRaw(ctx)
	if err == nil {
		err = json.Unmarshal(body, into)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// foreign reports kinds whose name another group uses for other objects.
func foreign(kind, group string) bool {
	switch kind {
	case "Pod", "Node", "Namespace", "ResourceQuota", "ReplicationController":
		return group != "" // metrics.k8s.io has Pod and Node, too
	case "Workload":
		return !strings.HasSuffix(group, "kueue.x-k8s.io")
	case "Job":
		return group != "batch" && group != "batch.volcano.sh"
	case "Revision":
		return group != "serving.knative.dev"
	}
	return false
}
