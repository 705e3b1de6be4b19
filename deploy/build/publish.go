package main

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// platformImage is the image of one architecture.
type platformImage struct {
	arch  string
	image v1.Image
}

// writeImages writes the images of all architectures as one archive in OCI layout, which docker load, podman load,
// skopeo and `build push` read.
func (r release) writeImages(base string, images []platformImage) (err error) {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, p := range images {
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: p.image, Descriptor: v1.Descriptor{
			Platform: &v1.Platform{OS: "linux", Architecture: p.arch},
		}})
	}
	folder, err := os.MkdirTemp("", "gpuledger-image-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	at, err := layout.Write(folder, empty.Index)
	if err != nil {
		return err
	}
	if err := at.AppendIndex(index, layout.WithAnnotations(map[string]string{
		"org.opencontainers.image.ref.name": r.version, "io.containerd.image.name": "docker.io/library/" + base + ":" + r.version,
	})); err != nil {
		return fmt.Errorf("write the images of %s: %w", base, err)
	}
	var files []entry
	err = fs.WalkDir(os.DirFS(folder), ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(folder, path))
		files = append(files, entry{name: path, mode: 0o644, content: content})
		return err
	})
	if err != nil {
		return err
	}
	text, err := archive(files, r.at)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, base+"_"+r.version+".oci.tar"), text, 0o644)
}

// push sends the images in an archive to a registry, with the login that docker, podman or skopeo stored.
func push(path, reference string) (err error) {
	to, err := name.ParseReference(reference)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "gpuledger-push-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if err := unpack(path, folder); err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	index, err := readLayout(folder)
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	if err := remote.WriteIndex(to, index, remote.WithAuthFromKeychain(authn.DefaultKeychain)); err != nil {
		return fmt.Errorf("push to %s: %w", to, err)
	}
	digest, err := index.Digest()
	if err != nil {
		return err
	}
	_, err = fmt.Printf("%s@%s\n", to.Context(), digest)
	return err
}

// readLayout is the one index of a layout.
func readLayout(folder string) (v1.ImageIndex, error) {
	outer, err := layout.ImageIndexFromPath(folder)
	if err != nil {
		return nil, err
	}
	manifest, err := outer.IndexManifest()
	if err != nil {
		return nil, err
	}
	if len(manifest.Manifests) != 1 {
		return nil, fmt.Errorf("it has %d images, not one", len(manifest.Manifests))
	}
	return outer.ImageIndex(manifest.Manifests[0].Digest)
}

// unpack writes the files of an archive that writeImages made.
func unpack(path, folder string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // it was only read
	r := tar.NewReader(file)
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if !filepath.IsLocal(h.Name) {
			return fmt.Errorf("the name %q leads out of the archive", h.Name)
		}
		to := filepath.Join(folder, h.Name)
		if h.Typeflag == tar.TypeDir {
			if err := os.MkdirAll(to, 0o755); err != nil {
				return err
			}
			continue
		}
		content, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		if err := os.WriteFile(to, content, 0o644); err != nil {
			return err
		}
	}
}
