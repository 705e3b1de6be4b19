package ingest

import (
	"strings"

	"gpuledger/internal/blob"
)

// sights records the places that an import was given and the places that it listed.
type sights struct {
	roots  []string // URIs, as places
	listed map[string]bool
}

// see records the files of a URI.
func (s *sights) see(uri string, files []blob.File, taken func(blob.File) bool) {
	if s.listed == nil {
		s.listed = map[string]bool{}
	}
	s.roots = append(s.roots, strings.TrimRight(blob.Place(uri), "/"))
	for _, f := range files {
		s.listed[f.Place()] = taken(f)
	}
}

// look returns the import's knowledge of a place.
func (s *sights) look(place string) Sight {
	if taken, listed := s.listed[place]; taken {
		return There
	} else if listed { // read by another import
		return NotLookedAt
	}
	for _, root := range s.roots {
		if place == root || strings.HasPrefix(place, root+"/") {
			return Gone
		}
	}
	return NotLookedAt
}
