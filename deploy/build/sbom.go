package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// bom lists the modules in a binary, as the linker recorded them.
func (r release) bom(arch, binary string) (*cdx.BOM, error) {
	content, err := os.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return nil, fmt.Errorf("read the modules of %s: %w", binary, err)
	}
	sum := fmt.Sprintf("%x", sha256.Sum256(content))
	b := cdx.NewBOM()
	// A name by content, in the form of a random UUID, so that the same binary has the same document.
	b.SerialNumber = fmt.Sprintf("urn:uuid:%s-%s-4%s-8%s-%s", sum[:8], sum[8:12], sum[13:16], sum[17:20], sum[20:32])
	b.Metadata = &cdx.Metadata{Timestamp: r.at.Format(time.RFC3339), Component: &cdx.Component{
		BOMRef: "gpuledger", Type: cdx.ComponentTypeApplication, Name: "gpuledger", Version: r.version,
		Hashes:     &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: sum}},
		Licenses:   &cdx.Licenses{{License: &cdx.License{ID: "Apache-2.0"}}},
		Properties: &[]cdx.Property{{Name: "arch", Value: arch}},
	}}
	std := strings.TrimPrefix(info.GoVersion, "go")
	components := []cdx.Component{{
		BOMRef: "pkg:golang/std@" + std, Type: cdx.ComponentTypeLibrary, Name: "std", Version: std,
		PackageURL: "pkg:golang/std@" + std,
	}}
	for _, m := range info.Deps {
		sum := m.Sum
		if m.Replace != nil {
			m, sum = m.Replace, m.Replace.Sum
		}
		url := "pkg:golang/" + m.Path + "@" + m.Version
		components = append(components, cdx.Component{
			BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: m.Path, Version: m.Version, PackageURL: url,
			Properties: &[]cdx.Property{{Name: "go.sum", Value: sum}},
		})
	}
	b.Components = &components
	return b, nil
}

// withDebian is a copy of a document with a package of Debian, too.
func withDebian(b *cdx.BOM, name, version, arch string) *cdx.BOM {
	c := *b
	url := fmt.Sprintf("pkg:deb/debian/%s@%s?arch=%s", name, version, arch)
	list := append(slices.Clone(*b.Components), cdx.Component{
		BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: name, Version: version, PackageURL: url,
	})
	c.Components = &list
	return &c
}

func (r release) writeBOM(b *cdx.BOM, base, arch string) error {
	file, err := os.Create(r.name(base, arch, ".cdx.json"))
	if err != nil {
		return err
	}
	if err := cdx.NewBOMEncoder(file, cdx.BOMFileFormatJSON).SetPretty(true).Encode(b); err != nil {
		return fmt.Errorf("write %s: %w", file.Name(), err)
	}
	return file.Close()
}
