package fleet

import "testing"

func TestProvider(t *testing.T) {
	for id, want := range map[string]string{
		"aws:///us-east-1a/i-0abc": "aws", "gce://p/us-central1-a/n": "gcp", "azure:///subscriptions/S/x": "azure",
		"openstack:///0b1c": "openstack", "k3s://n": "k3s", "": "", "://n": "",
	} {
		if got := Provider(id); got != want {
			t.Errorf("%q: %q, want %q", id, got, want)
		}
	}
}
