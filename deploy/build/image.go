package main

import (
	"archive/tar"
	"bytes"
	"encoding/pem"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// user is the user of the images: no name on any machine has this number.
const user = 65532

// entry is a file, folder or link of an image.
type entry struct {
	name    string // without a leading slash
	mode    int64
	content []byte
	link    string // target of a symbolic link
	folder  bool
}

// programFiles are the program and the files that it expects of a system: users, authorities that sign certificates, and
// a folder for temporary files.
func (r release) programFiles(binary string) ([]entry, error) {
	program, err := os.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	license, err := os.ReadFile(filepath.Join(r.root, "LICENSE"))
	if err != nil {
		return nil, err
	}
	var roots bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint != nil { // a system's list cannot say that an authority counts in part
			continue
		}
		if err := pem.Encode(&roots, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}); err != nil {
			return nil, err
		}
	}
	return []entry{
		{name: "etc", mode: 0o755, folder: true},
		{name: "etc/passwd", mode: 0o644, content: fmt.Appendf(nil,
			"root:x:0:0:root:/:/sbin/nologin\ngpuledger:x:%[1]d:%[1]d:gpuledger:/tmp:/sbin/nologin\n", user)},
		{name: "etc/group", mode: 0o644, content: fmt.Appendf(nil, "root:x:0:\ngpuledger:x:%d:\n", user)},
		{name: "etc/ssl/certs/ca-certificates.crt", mode: 0o644, content: roots.Bytes()},
		{name: "tmp", mode: 0o1777, folder: true},
		{name: "usr/local/bin/gpuledger", mode: 0o755, content: program},
		{name: "usr/share/doc/gpuledger/copyright", mode: 0o644, content: license},
	}, nil
}

// image is an image on an empty base, with a layer for each list of files.
func (r release) image(arch string, layers ...[]entry) (v1.Image, error) {
	image := v1.Image(empty.Image)
	for _, files := range layers {
		text, err := archive(files, r.at)
		if err != nil {
			return nil, err
		}
		layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(text)), nil
		})
		if err == nil {
			image, err = mutate.Append(image, mutate.Addendum{Layer: layer, History: v1.History{
				Created: v1.Time{Time: r.at}, CreatedBy: "gpuledger/deploy/build",
			}})
		}
		if err != nil {
			return nil, fmt.Errorf("build a layer: %w", err)
		}
	}
	file, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	file = file.DeepCopy()
	file.Architecture, file.OS, file.Created = arch, "linux", v1.Time{Time: r.at}
	file.Config = v1.Config{
		User:         fmt.Sprintf("%[1]d:%[1]d", user),
		Env:          []string{"PATH=/usr/local/bin:/usr/bin:/bin", "GPULEDGER_DATA_DIR=/tmp/gpuledger"},
		Entrypoint:   []string{"/usr/local/bin/gpuledger"},
		Cmd:          []string{"serve", "--addr", "0.0.0.0:8080", "--auth", "on"},
		ExposedPorts: map[string]struct{}{"8080/tcp": {}},
		Labels: map[string]string{
			"org.opencontainers.image.title": "gpuledger", "org.opencontainers.image.version": r.version,
			"org.opencontainers.image.licenses": "Apache-2.0",
		},
	}
	return mutate.ConfigFile(image, file)
}

// archive is a tar file of entries with one time and owner, and the folders above them.
func archive(files []entry, at time.Time) ([]byte, error) {
	var text bytes.Buffer
	w := tar.NewWriter(&text)
	made := map[string]bool{}
	var write func(e entry) error
	write = func(e entry) error {
		if above := filepath.Dir(e.name); above != "." && !made[above] {
			if err := write(entry{name: above, mode: 0o755, folder: true}); err != nil {
				return err
			}
		}
		h := &tar.Header{Name: e.name, Mode: e.mode, ModTime: at, Typeflag: tar.TypeReg, Size: int64(len(e.content)),
			Format: tar.FormatPAX}
		switch {
		case e.folder:
			if made[e.name] {
				return nil
			}
			made[e.name] = true
			h.Name, h.Typeflag = e.name+"/", tar.TypeDir
		case e.link != "":
			h.Typeflag, h.Linkname = tar.TypeSymlink, e.link
		}
		if err := w.WriteHeader(h); err != nil {
			return fmt.Errorf("write %s: %w", e.name, err)
		}
		_, err := w.Write(e.content)
		return err
	}
	for _, e := range files {
		if err := write(e); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}
