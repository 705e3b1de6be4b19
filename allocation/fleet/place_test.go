package fleet

import (
	"strings"
	"testing"
)

func TestProvider(t *testing.T) {
	for id, want := range map[string]string{
		"aws:///us-east-1a/i-0abc": "aws", "gce://p/us-central1-a/n": "gcp", "azure:///subscriptions/S/x": "azure",
		"openstack:///0b1c": "openstack", "k3s://n": "k3s", "": "", "://n": "",
		"ocid1.instance.oc1.iad.a": "oracle", "oci://ocid1.instance.oc1.iad.a": "oracle",
		"i-0abc": "aws", "arn:aws:ec2:r:1:instance/i-1": "aws",
		"/subscriptions/S/x": "azure", "projects/p/zones/z/instances/n": "gcp", "box": "",
	} {
		if got := Provider(id); got != want {
			t.Errorf("%q: %q, want %q", id, got, want)
		}
	}
}

func TestBareNames(t *testing.T) {
	for _, c := range [][3]string{
		{"node-0011", "neo://0b1c", "node-0011"}, {"node-0011", "", "node-0011"},
		{"n", "aws:///us-east-1a/i-1", ""}, {"n", "gce://p/z/n", ""}, {"n", "ocid1.instance.a", ""},
		{"i-0123456789abcdef0.us-east-1.compute.internal", "", "i-0123456789abcdef0"},
		{"i-node.example", "", "i-node.example i-node"},
		{"GPU01.FRA.example.com", "", "gpu01.fra.example.com gpu01"}, {"10.0.1.5", "neo://0b1c", "10.0.1.5"},
	} {
		if got := strings.Join(bareNames(c[0], c[1]), " "); got != c[2] {
			t.Errorf("%s of %s: %q, want %q", c[0], c[1], got, c[2])
		}
	}
}
