package ingest

import (
	"strings"

	"gpuledger/internal/blob"
)

// sights is what an import knows of places: which it was given, and which lie where
// it looked.
type sights struct {
	roots  []string // URIs, as places
	listed map[string]bool
}

// see notes what a URI named.
func (s *sights) see(uri string, files []blob.File, taken func(blob.File) bool) {
	if s.listed == nil {
		s.listed = map[string]bool{}
	}
	s.roots = append(s.roots, strings.TrimRight(blob.Place(uri), "/"))
	for _, f := range files {
		s.listed[f.Place()] = taken(f)
	}
}

// look is what is known of a place.
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
