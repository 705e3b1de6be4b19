package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// compile builds the program for an architecture. Paths of this machine, the commit's state and the linker's own id stay
// out of it, and time zones go in, since an empty image has none.
func (r release) compile(arch string) (string, error) {
	path, err := filepath.Abs(r.name("gpuledger", arch, ""))
	if err != nil {
		return "", err
	}
	c := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-tags", "timetzdata",
		"-ldflags", "-s -w -buildid= -X main.version="+r.version, "-o", path, "./cmd/gpuledger")
	c.Dir = r.root
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+arch, "GOFLAGS=")
	c.Stderr = os.Stderr
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("compile for %s: %w", arch, err)
	}
	return path, nil
}

// sums writes SHA256SUMS of the files in a folder, in the form that sha256sum -c reads.
func sums(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, e := range entries { // sorted by name
		content, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "%x  %s\n", sha256.Sum256(content), e.Name())
	}
	return os.WriteFile(filepath.Join(folder, "SHA256SUMS"), []byte(text.String()), 0o644)
}
