// Package kube runs the watch of Kubernetes clusters, and Helm with the chart in deploy/helm, against a real
// kube-apiserver and etcd, which .ci/test-kube builds from the module in server. There is no kubelet, scheduler or
// controller: the tests bind pods, and write the status of pods and jobs themselves. Tests that only render the chart
// need no server.
package kube
