package main

import (
	"bytes"
	"crypto/x509"
	"debug/buildinfo"
	"errors"
	"io/fs"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

var arch = runtime.GOARCH

// results packs the program of this machine once and returns the release, with the folder of its results.
var results = sync.OnceValues(func() (r release, err error) {
	folder, err := os.MkdirTemp("", "gpuledger-packages-")
	if err != nil {
		return r, err
	}
	r = release{"1.2.3-4-gabcdef0", time.Unix(1_790_000_000, 0).UTC(), "../..", filepath.Join(folder, "out"), []string{arch}}
	if err := os.Mkdir(r.out, 0o755); err != nil {
		return r, err
	}
	binary, err := r.compile(arch)
	if err == nil {
		err = r.pack(map[string]string{arch: binary}, "")
	}
	return r, err
})

func TestMain(m *testing.M) {
	code := m.Run()
	if r, err := results(); err == nil {
		_ = os.RemoveAll(filepath.Dir(r.out)) // a folder of the system for temporary files
	}
	os.Exit(code)
}

func built(t *testing.T) release {
	t.Helper()
	r, err := results()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func output(t *testing.T, program string, args ...string) string {
	t.Helper()
	out, err := exec.Command(program, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// SHA256SUMS has every result; the binary says its version and holds no path of this machine.
func TestResults(t *testing.T) {
	r := built(t)
	c := exec.Command("sha256sum", "--check", "--strict", "SHA256SUMS")
	c.Dir = r.out
	if out, err := c.CombinedOutput(); err != nil || strings.Count(string(out), ": OK") != 6 {
		t.Errorf("sha256sum: %v\n%s", err, out)
	}
	binary := r.name("gpuledger", arch, "")
	if says := output(t, binary, "--version"); !strings.HasPrefix(says, "gpuledger 1.2.3-4-gabcdef0 (schema ") {
		t.Errorf("the binary says %q", says)
	}
	text, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	here, err := filepath.Abs(r.root)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(text, []byte(here)) {
		t.Error("the binary holds the path of the repository")
	}
	if !bytes.Contains(text, []byte("Europe/Berlin")) {
		t.Error("the binary has no time zones")
	}
}

// What is packed from one binary is the same, byte for byte, wherever and whenever it is packed.
func TestPacksAreReproducible(t *testing.T) {
	r := built(t)
	again := r
	again.out = t.TempDir()
	binary := again.name("gpuledger", arch, "")
	if err := os.Link(r.name("gpuledger", arch, ""), binary); err != nil {
		t.Fatal(err)
	}
	if err := again.pack(map[string]string{arch: binary}, ""); err != nil {
		t.Fatal(err)
	}
	first, err := os.ReadFile(filepath.Join(r.out, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	second, err := os.ReadFile(filepath.Join(again.out, "SHA256SUMS"))
	if err != nil || !bytes.Equal(first, second) {
		t.Errorf("%v: packed once:\n%s\nand again:\n%s", err, first, second)
	}
}

// dpkg installs the package into an empty system: the program runs, the user is there, systemd accepts the units, and
// configuration that was edited stays at a reinstallation.
func TestTheDebianPackageInstalls(t *testing.T) {
	if _, err := exec.LookPath("dpkg"); err != nil || os.Geteuid() != 0 {
		t.Fatal("this test needs dpkg, and root")
	}
	r := built(t)
	deb := filepath.Join(r.out, "gpuledger_1.2.3-4-gabcdef0_"+arch+".deb")
	if says := output(t, "dpkg-deb", "--field", deb, "Package", "Version", "Architecture"); says !=
		"Package: gpuledger\nVersion: 1.2.3+4+gabcdef0\nArchitecture: "+arch+"\n" {
		t.Errorf("the package says\n%s", says)
	}
	root := t.TempDir()
	for _, folder := range []string{"var/lib/dpkg/updates", "var/lib/dpkg/info", "etc"} {
		if err := os.MkdirAll(filepath.Join(root, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for file, text := range map[string]string{
		"var/lib/dpkg/status": "", "etc/passwd": "root:x:0:0::/root:/bin/sh\n", "etc/group": "root:x:0:\n", "etc/shadow": "",
	} {
		if err := os.WriteFile(filepath.Join(root, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	install := []string{"--root=" + root, "--force-script-chrootless", "--force-depends", "--force-confold", "--install", deb}
	output(t, "dpkg", install...)
	if says := output(t, filepath.Join(root, "usr/bin/gpuledger"), "--config",
		filepath.Join(root, "etc/gpuledger/gpuledger.yaml"), "config", "check"); strings.Contains(says, "fault") {
		t.Error(says)
	}
	users, err := os.ReadFile(filepath.Join(root, "etc/passwd"))
	if err != nil || !strings.Contains(string(users), "\ngpuledger:x:") || !strings.Contains(string(users), "nologin") {
		t.Errorf("users are %v\n%s", err, users)
	}
	env := filepath.Join(root, "etc/gpuledger/agent.env")
	if info, err := os.Stat(env); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("agent.env: %v, %v", info, err)
	}
	if err := os.WriteFile(env, []byte("GPULEDGER_SERVER=http://edited\n"), 0o640); err != nil {
		t.Fatal(err)
	}
	output(t, "dpkg", install...)
	if text, err := os.ReadFile(env); err != nil || !strings.Contains(string(text), "edited") {
		t.Errorf("after a reinstallation agent.env is %q, %v", text, err)
	}
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Fatal("this test needs systemd-analyze: apt-get install systemd")
	}
	for _, unit := range []string{"gpuledger.service", "gpuledger-agent.service"} {
		if out, err := exec.Command("systemd-analyze", "verify", "--root="+root, "--recursive-errors=no",
			"/lib/systemd/system/"+unit).CombinedOutput(); err != nil || strings.Contains(string(out), unit+":") {
			t.Errorf("%s: %v\n%s", unit, err, out)
		}
	}
	output(t, "dpkg", "--root="+root, "--force-script-chrootless", "--force-depends", "--remove", "gpuledger")
	if _, err := os.Stat(filepath.Join(root, "usr/bin/gpuledger")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after its removal the program is still there: %v", err)
	}
}

// The document is valid CycloneDX and lists exactly the modules of the binary, each once.
func TestTheBillOfMaterials(t *testing.T) {
	r := built(t)
	binary := r.name("gpuledger", arch, "")
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for _, m := range info.Deps {
		want["pkg:golang/"+m.Path+"@"+m.Version] = true
	}
	if len(want) < 50 {
		t.Fatalf("the binary has %d modules", len(want))
	}
	for base, more := range map[string]string{"gpuledger": "pkg:golang/std@", "gpuledger-agent": "pkg:deb/debian/libc6@2.36"} {
		file, err := os.Open(r.name(base, arch, ".cdx.json"))
		if err != nil {
			t.Fatal(err)
		}
		var b cdx.BOM
		if err := cdx.NewBOMDecoder(file, cdx.BOMFileFormatJSON).Decode(&b); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		got, also := map[string]bool{}, false
		for _, c := range *b.Components {
			if got[c.PackageURL] || c.Version == "" {
				t.Errorf("%s lists %s %q twice or without a version", base, c.Name, c.Version)
			}
			got[c.PackageURL] = true
			also = also || strings.HasPrefix(c.PackageURL, more)
		}
		for url := range want {
			if !got[url] {
				t.Errorf("%s lacks %s", base, url)
			}
		}
		if !also || b.SpecVersion < cdx.SpecVersion1_5 || b.Metadata.Component.Version != r.version {
			t.Errorf("%s: %s of %v, %d components", base, b.SpecVersion, b.Metadata.Component, len(got))
		}
	}
}

// unpacked writes the files of an image of the archive to a folder, and returns its configuration.
func unpacked(t *testing.T, base string) (root string, file *v1.ConfigFile) {
	t.Helper()
	r := built(t)
	folder := t.TempDir()
	if err := unpack(filepath.Join(r.out, base+"_"+r.version+".oci.tar"), folder); err != nil {
		t.Fatal(err)
	}
	index, err := readLayout(folder)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil || len(manifest.Manifests) != 1 || manifest.Manifests[0].Platform.Architecture != arch {
		t.Fatalf("%+v, %v", manifest, err)
	}
	image, err := index.Image(manifest.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	if file, err = image.ConfigFile(); err != nil {
		t.Fatal(err)
	}
	flat := mutate.Extract(image)
	defer flat.Close() //nolint:errcheck // it is read from memory
	root = t.TempDir()
	c := exec.Command("tar", "-x", "--same-permissions", "-C", root)
	c.Stdin = flat
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return root, file
}

// The server's image holds the program and five files, runs as a plain user, and trusts the authorities of the web.
func TestTheImageOfTheServer(t *testing.T) {
	root, file := unpacked(t, "gpuledger")
	var names []string
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			names = append(names, strings.TrimPrefix(path, root))
		}
		return err
	})
	if want := []string{"/etc/group", "/etc/passwd", "/etc/ssl/certs/ca-certificates.crt", "/usr/local/bin/gpuledger",
		"/usr/share/doc/gpuledger/copyright"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("the image holds %v, %v", names, err)
	}
	if file.Config.User != "65532:65532" || file.OS != "linux" || file.Architecture != arch ||
		!slices.Equal(file.Config.Entrypoint, []string{"/usr/local/bin/gpuledger"}) ||
		!slices.Equal(file.Config.Cmd, []string{"serve", "--addr", "0.0.0.0:8080", "--auth", "on"}) {
		t.Errorf("the image is %+v", file)
	}
	roots, err := os.ReadFile(filepath.Join(root, "etc/ssl/certs/ca-certificates.crt"))
	pool := x509.NewCertPool()
	if err != nil || !pool.AppendCertsFromPEM(roots) || bytes.Count(roots, []byte("BEGIN")) < 80 {
		t.Errorf("the image has %d authorities: %v", bytes.Count(roots, []byte("BEGIN")), err)
	}
	if info, err := os.Stat(filepath.Join(root, "tmp")); err != nil || info.Mode().Perm() != 0o777 ||
		info.Mode()&os.ModeSticky == 0 {
		t.Errorf("/tmp is %v, %v", info, err)
	}
	runs(t, root, "/usr/local/bin/gpuledger", "version")
}

// The agent's image has a C library for nvidia-smi, which the container runtime adds: a program of this machine that
// needs the library runs in it.
func TestTheImageOfTheAgent(t *testing.T) {
	root, file := unpacked(t, "gpuledger-agent")
	if file.Config.User != "65532:65532" {
		t.Errorf("the image runs as %s", file.Config.User)
	}
	program, err := os.ReadFile("/bin/echo")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(root, "usr/bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "usr/bin/nvidia-smi"), program, 0o755); err != nil {
		t.Fatal(err)
	}
	if says := runs(t, root, "/usr/bin/nvidia-smi", "hello"); says != "hello\n" {
		t.Errorf("it says %q", says)
	}
	runs(t, root, "/usr/local/bin/gpuledger", "agent", "--help")
}

// runs runs a program of a folder as if that were the whole system.
func runs(t *testing.T, root string, args ...string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Fatal("this test needs root, for chroot")
	}
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	return output(t, "chroot", append([]string{"--userspec=65532:65532", root}, args...)...)
}

// Images are pushed to a registry as they are in the archive.
func TestImagesArePushed(t *testing.T) {
	r := built(t)
	server := httptest.NewServer(registry.New())
	defer server.Close()
	reference := strings.TrimPrefix(server.URL, "http://") + "/ops/gpuledger:1.2.3"
	if err := run([]string{"push", filepath.Join(r.out, "gpuledger_"+r.version+".oci.tar"), reference}); err != nil {
		t.Fatal(err)
	}
	to, err := name.ParseReference(reference)
	if err != nil {
		t.Fatal(err)
	}
	image, err := remote.Image(to, remote.WithPlatform(v1.Platform{OS: "linux", Architecture: arch}))
	if err != nil {
		t.Fatal(err)
	}
	file, err := image.ConfigFile()
	if err != nil || file.Config.Labels["org.opencontainers.image.version"] != r.version {
		t.Errorf("the registry has %+v, %v", file, err)
	}
	if err := run([]string{"push", filepath.Join(r.out, "gpuledger_"+r.version+".oci.tar"), "not a name"}); err == nil {
		t.Error("a wrong name is accepted")
	}
}

// A version of git orders as dpkg expects.
func TestVersionsOfDebian(t *testing.T) {
	for version, want := range map[string]string{"1.2.3": "1.2.3", "1.2.3-4-gab": "1.2.3+4+gab", "abc": "0~abc", "": "0~"} {
		if got := debianVersion(version); got != want {
			t.Errorf("%q is %q, want %q", version, got, want)
		}
	}
}
