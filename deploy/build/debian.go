package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb" // the packager that Get returns
	"github.com/goreleaser/nfpm/v2/files"
)

// debian packs a binary with units, configuration and the pages that the units name.
func (r release) debian(arch, binary string) (err error) {
	at := func(path string) string { return filepath.Join(r.root, path) }
	var contents files.Contents
	add := func(source, destination, kind string, mode os.FileMode) {
		contents = append(contents, &files.Content{Source: source, Destination: destination, Type: kind,
			FileInfo: &files.ContentFileInfo{Owner: "root", Group: "root", Mode: mode, MTime: r.at}})
	}
	add(binary, "/usr/bin/gpuledger", files.TypeFile, 0o755)
	for _, unit := range []string{"gpuledger.service", "gpuledger-agent.service"} {
		add(at("deploy/systemd/"+unit), "/lib/systemd/system/"+unit, files.TypeFile, 0o644)
	}
	for _, name := range []string{"gpuledger.yaml", "server.env", "agent.env"} {
		add(at("deploy/debian/"+name), "/etc/gpuledger/"+name, files.TypeConfigNoReplace, 0o640)
	}
	for _, page := range [][2]string{
		{"docs/operate/operations.md", "operations.md"}, {"docs/operate/backup.md", "backup.md"},
		{"docs/connect/agent.md", "agent.md"}, {"deploy/gpuledger.yaml", "examples/gpuledger.yaml"}, {"LICENSE", "copyright"},
	} {
		add(at(page[0]), "/usr/share/doc/gpuledger/"+page[1], files.TypeFile, 0o644)
	}
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: "gpuledger", Arch: arch, Platform: "linux", Version: debianVersion(r.version), VersionSchema: "none",
		Section: "admin", Priority: "optional", License: "Apache-2.0", MTime: r.at,
		Maintainer:  "The gpuledger authors <gpuledger@localhost>",
		Description: "Keeps the books on GPU money\n Joins bills, GPU telemetry and workloads in one ledger. The package\n has the program, a unit for the server and a unit for the node agent.",
		Overridables: nfpm.Overridables{
			Contents: contents, Recommends: []string{"postgresql (>= 15)"}, Depends: []string{"passwd"},
			Scripts: nfpm.Scripts{PostInstall: at("deploy/debian/postinst"), PreRemove: at("deploy/debian/prerm"),
				PostRemove: at("deploy/debian/postrm")},
			Deb: nfpm.Deb{Compression: "gzip"},
		},
	})
	packager, err := nfpm.Get("deb")
	if err != nil {
		return err
	}
	if err := nfpm.PrepareForPackager(info, "deb"); err != nil {
		return fmt.Errorf("prepare the Debian package: %w", err)
	}
	file, err := os.Create(filepath.Join(r.out, fmt.Sprintf("gpuledger_%s_%s.deb", r.version, arch)))
	if err != nil {
		return err
	}
	if err := packager.Package(info, file); err != nil {
		return fmt.Errorf("write %s: %w", file.Name(), err)
	}
	return file.Close()
}

// debianVersion is a version as dpkg orders it: it begins with a digit, and a build after a tag is newer than the tag.
func debianVersion(version string) string {
	version = strings.ReplaceAll(version, "-", "+")
	if version == "" || version[0] < '0' || version[0] > '9' {
		return "0~" + version
	}
	return version
}
