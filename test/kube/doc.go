// Package kube runs the watch of Kubernetes clusters against a real
// kube-apiserver and etcd, which .ci/test-kube builds from the module in
// server. There is no kubelet and no scheduler: the tests bind pods and write
// their status themselves.
package kube
