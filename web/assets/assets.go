package assets

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
)

// Prefix is the path under which Handler expects to be mounted.
const Prefix = "/static/"

//go:embed css/*.css js/*.js dist/*
var files embed.FS

// Names of the built files, for URL.
const (
	Stylesheet = "app.css"
	Script     = "app.js"
	HTMX       = "htmx.js"
	FontText   = "inter-latin.woff2"
	FontWide   = "inter-latin-ext.woff2"
	FontMono   = "plex-mono.woff2"
	Icon       = "icon.svg"
)

type file struct {
	url     string // path below Prefix, with the hash
	kind    string
	body    []byte
	gzipped []byte // nil when the file is compressed already
}

// Set is all files by name. Build it once with Load.
type Set struct {
	byName map[string]*file
	byURL  map[string]*file
}

// Load builds the set from the embedded files. It fails only when a file of the build is missing.
var Load = sync.OnceValues(load)

func load() (*Set, error) {
	s := &Set{byName: map[string]*file{}, byURL: map[string]*file{}}
	for _, f := range []struct{ name, source, kind string }{
		{FontText, "dist/inter-latin-wght-normal.woff2", "font/woff2"},
		{FontWide, "dist/inter-latin-ext-wght-normal.woff2", "font/woff2"},
		{FontMono, "dist/ibm-plex-mono-latin-400-normal.woff2", "font/woff2"},
		{HTMX, "dist/htmx.min.js", "text/javascript; charset=utf-8"},
		{Script, "js/app.js", "text/javascript; charset=utf-8"},
	} {
		body, err := files.ReadFile(f.source)
		if err != nil {
			return nil, fmt.Errorf("asset %s: %w", f.name, err)
		}
		if err := s.add(f.name, f.kind, body); err != nil {
			return nil, err
		}
	}
	if err := s.add(Icon, "image/svg+xml", []byte(icon)); err != nil {
		return nil, err
	}
	css, err := s.stylesheet()
	if err != nil {
		return nil, err
	}
	if err := s.add(Stylesheet, "text/css; charset=utf-8", css); err != nil {
		return nil, err
	}
	return s, nil
}

// stylesheet joins tokens, causes, growth classes and the sheets in name order.
func (s *Set) stylesheet() ([]byte, error) {
	names, err := fs.Glob(files, "css/*.css")
	if err != nil {
		return nil, fmt.Errorf("style sheets: %w", err)
	}
	slices.Sort(names)
	var b bytes.Buffer
	b.WriteString(tokenCSS())
	for _, name := range names {
		body, err := files.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("style sheet %s: %w", name, err)
		}
		b.Write(body)
	}
	b.WriteString(causeCSS())
	b.WriteString(growCSS())
	out := b.String()
	for _, font := range []string{FontText, FontWide, FontMono} {
		out = strings.ReplaceAll(out, "url("+font+")", "url("+s.URL(font)+")")
	}
	return []byte(out), nil
}

func (s *Set) add(name, kind string, body []byte) error {
	sum := sha256.Sum256(body)
	ext := path.Ext(name)
	f := &file{url: strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:6]) + ext, kind: kind, body: body}
	if kind != "font/woff2" {
		var b bytes.Buffer
		w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
		if err != nil {
			return fmt.Errorf("compress %s: %w", name, err)
		}
		if _, err := w.Write(body); err != nil {
			return fmt.Errorf("compress %s: %w", name, err)
		}
		if err := w.Close(); err != nil {
			return fmt.Errorf("compress %s: %w", name, err)
		}
		f.gzipped = b.Bytes()
	}
	s.byName[name], s.byURL[f.url] = f, f
	return nil
}

// URL returns the absolute path of a file, with the hash of its content. An
// unknown name has no path.
func (s *Set) URL(name string) string {
	if f, ok := s.byName[name]; ok {
		return Prefix + f.url
	}
	return ""
}

// ServeHTTP serves a file below Prefix. Names without a current hash are 404:
// a page and its files always belong together.
func (s *Set) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f, ok := s.byURL[strings.TrimPrefix(r.URL.Path, Prefix)]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	body := f.body
	if f.gzipped != nil {
		h.Set("Vary", "Accept-Encoding")
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			h.Set("Content-Encoding", "gzip")
			body = f.gzipped
		}
	}
	h.Set("Content-Length", fmt.Sprint(len(body)))
	if r.Method == http.MethodHead {
		return
	}
	// A failed write means that the reader has gone.
	_, _ = w.Write(body)
}

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect x="2" y="5" width="10" height="10" rx="1" fill="#14826A"/><rect x="13" y="5" width="5" height="10" rx="1" fill="#D47C10"/><rect x="19" y="5" width="3" height="10" rx="1" fill="#C22A3F"/><path d="M2 18h20M2 21h20" stroke="#848C92" stroke-width="1.4"/></svg>`
