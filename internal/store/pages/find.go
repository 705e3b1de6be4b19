package pages

import (
	"context"
	"strings"

	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// Find lists at most most names of each kind that contain a text, whatever its case, best matches first.
func (s *Pages) Find(ctx context.Context, text string, most int) ([]metrics.Found, error) {
	return pg.List[metrics.Found](ctx, s.ReadOnly(), "page.find", pg.Tenant, strings.ToLower(text), most)
}
