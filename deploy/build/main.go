package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// release is what to build, and where.
type release struct {
	version string
	at      time.Time // of every file
	root    string    // of the repository
	out     string
	arches  []string
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) > 0 && args[0] == "build":
		return buildAll(args[1:])
	case len(args) == 3 && args[0] == "push":
		return push(args[1], args[2])
	}
	return errors.New("give build with its flags, or push IMAGE.oci.tar REFERENCE")
}

func buildAll(args []string) error {
	flags := flag.NewFlagSet("build", flag.ContinueOnError)
	version := flags.String("version", "dev", "version of the release")
	seconds := flags.Int64("time", 0, "time of every file, in seconds since 1970: that of the commit")
	root := flags.String("root", "../..", "the repository")
	out := flags.String("out", "dist", "folder for the results; it is emptied")
	arches := flags.String("arch", "amd64,arm64", "architectures")
	libc := flags.String("libc", "", "folder with Debian's libc6 packages; default: they are downloaded with apt-get")
	if err := flags.Parse(args); err != nil {
		return err
	}
	r := release{strings.TrimPrefix(*version, "v"), time.Unix(*seconds, 0).UTC(), *root, *out, strings.Split(*arches, ",")}
	if err := os.RemoveAll(r.out); err != nil {
		return err
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	binaries := map[string]string{}
	for _, arch := range r.arches {
		path, err := r.compile(arch)
		if err != nil {
			return err
		}
		binaries[arch] = path
	}
	return r.pack(binaries, *libc)
}

// pack makes everything that contains a binary, from the binary of each architecture.
func (r release) pack(binaries map[string]string, libc string) error {
	var server, agent []platformImage
	for _, arch := range r.arches {
		if err := r.debian(arch, binaries[arch]); err != nil {
			return err
		}
		bom, err := r.bom(arch, binaries[arch])
		if err != nil {
			return err
		}
		if err := r.writeBOM(bom, "gpuledger", arch); err != nil {
			return err
		}
		files, err := r.programFiles(binaries[arch])
		if err != nil {
			return err
		}
		image, err := r.image(arch, files)
		if err != nil {
			return err
		}
		server = append(server, platformImage{arch, image})
		glibc, version, err := glibcFiles(libc, arch)
		if err != nil {
			return err
		}
		if err := r.writeBOM(withDebian(bom, "libc6", version, arch), "gpuledger-agent", arch); err != nil {
			return err
		}
		if image, err = r.image(arch, glibc, files); err != nil {
			return err
		}
		agent = append(agent, platformImage{arch, image})
	}
	if err := r.writeImages("gpuledger", server); err != nil {
		return err
	}
	if err := r.writeImages("gpuledger-agent", agent); err != nil {
		return err
	}
	return sums(r.out)
}

// name is the path of a result.
func (r release) name(base, arch, ending string) string {
	parts := []string{base, r.version}
	if arch != "" {
		parts = append(parts, "linux", arch)
	}
	return filepath.Join(r.out, strings.Join(parts, "_")+ending)
}
