package blob

import (
	"path"
	"path/filepath"
	"strings"

	"gpuledger/internal/period"
)

// File is one discovered file.
type File struct {
	// Name is the path below the URI with forward slashes; the base name if the URI is the file itself.
	Name string
	// Path is its location: a local path, or the URI of a remote object.
	Path string
	// Size is the number of stored bytes; 0 if a store does not know it before reading (BigQuery).
	Size int64
	// Modified is when a store last wrote the object; 0 if unknown. It is unknown for local files: copying a file
	// changes its time.
	Modified period.Second
	// Changed is the modification time of a local file; 0 if unknown. It proves nothing.
	Changed period.Second
	// Version distinguishes two contents of one path: the ETag or generation of a remote object, size and modification
	// time of a local file. Empty if unknown.
	Version string

	src   source // nil: the local file at Path
	meter *Meter // nil: not counted
}

// Base is the last element of the name.
func (f File) Base() string { return path.Base(f.Name) }

// Folder is the directory that holds the file; files of one folder share it.
func (f File) Folder() string { return filepath.Dir(f.Path) }

// Meter counts stored bytes as they are read. Add is called from the goroutines that read.
type Meter struct{ Add func(bytes int64) }

// Metered returns the file with a meter that counts its reads.
func (f File) Metered(m *Meter) File {
	f.meter = m
	return f
}

// Place is the full address of a file, however it was named: an absolute path, or the URI of an object without secrets.
func (f File) Place() string { return Place(f.Path) }

// Place is the full address of a path or URI.
func Place(uri string) string {
	if scheme, rest, remote := strings.Cut(uri, "://"); remote && scheme != "file" {
		return Redact(uri)
	} else if remote {
		uri = rest
	}
	whole, err := filepath.Abs(uri)
	if err != nil { // the working directory is gone
		return filepath.ToSlash(uri)
	}
	return filepath.ToSlash(whole)
}

func (f File) source() source {
	if f.src != nil {
		return f.src
	}
	return &localFile{root: filepath.Dir(f.Path), rel: filepath.Base(f.Path)}
}
