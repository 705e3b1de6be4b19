package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// glibcFiles are the C library of Debian 12: nvidia-smi, which the container runtime adds to the agent's container,
// needs it. folder has the packages; if it is empty they are downloaded.
func glibcFiles(folder, arch string) (list []entry, version string, err error) {
	if folder == "" {
		if folder, err = os.MkdirTemp("", "gpuledger-libc-"); err != nil {
			return nil, "", err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
		if err := downloadLibc(folder, arch); err != nil {
			return nil, "", err
		}
	}
	found, err := filepath.Glob(filepath.Join(folder, "libc6_*_"+arch+".deb"))
	if err != nil || len(found) != 1 {
		return nil, "", fmt.Errorf("%d packages libc6_*_%s.deb in %s, want one: %w", len(found), arch, folder, err)
	}
	out, err := exec.Command("dpkg-deb", "--field", found[0], "Version").Output()
	if err != nil {
		return nil, "", fmt.Errorf("read %s: %w", found[0], err)
	}
	text, err := exec.Command("dpkg-deb", "--fsys-tarfile", found[0]).Output()
	if err != nil {
		return nil, "", fmt.Errorf("read %s: %w", found[0], err)
	}
	// The container runtime then puts the driver's libraries into the folders of Debian.
	list = []entry{{name: "etc/debian_version", mode: 0o644, content: []byte("12\n")}}
	r := tar.NewReader(bytes.NewReader(text))
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return list, strings.TrimSpace(string(out)), nil
		}
		if err != nil {
			return nil, "", fmt.Errorf("read %s: %w", found[0], err)
		}
		name := strings.TrimPrefix(h.Name, "./")
		if !strings.HasPrefix(name, "lib/") && !strings.HasPrefix(name, "lib64/") &&
			name != "usr/share/doc/libc6/copyright" || h.Typeflag == tar.TypeDir {
			continue
		}
		content, err := io.ReadAll(r)
		if err != nil {
			return nil, "", err
		}
		list = append(list, entry{name: name, mode: h.Mode, content: content, link: h.Linkname})
	}
}

// downloadLibc downloads the package of an architecture with apt-get, whose own state it leaves alone.
func downloadLibc(folder, arch string) error {
	state := filepath.Join(folder, "apt")
	for _, sub := range []string{"lists/partial", "cache/archives/partial"} {
		if err := os.MkdirAll(filepath.Join(state, sub), 0o755); err != nil {
			return err
		}
	}
	options := []string{
		"-o", "Dir::State::lists=" + filepath.Join(state, "lists"), "-o", "Dir::Cache=" + filepath.Join(state, "cache"),
		"-o", "Dir::State::status=/dev/null", "-o", "APT::Architecture=" + arch, "-o", "APT::Architectures=" + arch,
		"-o", "APT::Sandbox::User=root", "-qq",
	}
	for _, step := range [][]string{{"update"}, {"download", "libc6"}} {
		c := exec.Command("apt-get", append(options, step...)...)
		c.Dir = folder
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("apt-get %s for %s: %w: %s(without Debian, give -libc a folder with its libc6 packages)",
				strings.Join(step, " "), arch, err, out)
		}
	}
	return nil
}
