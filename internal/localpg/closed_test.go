package localpg

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A folder under a closed parent (mktemp -d, /root) is out of reach for the
// server's user when we are root; the server then lives elsewhere.
func TestClosedParent(t *testing.T) {
	needServer(t)
	if os.Geteuid() != 0 {
		t.Skip("only root runs the server as somebody else")
	}
	parent, err := os.MkdirTemp("", "gplclosed")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(parent); err != nil {
			t.Error(err)
		}
	})
	dir := filepath.Join(parent, "data")
	s, err := Start(t.Context(), Options{DataDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(s.cluster.data, "/var/lib/gpuledger/servers/") {
		t.Errorf("the server's data is in %s", s.cluster.data)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	gone(t, dir)
	if err := os.RemoveAll(filepath.Dir(s.cluster.data)); err != nil {
		t.Error(err)
	}
}
