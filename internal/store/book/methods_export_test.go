package book

import (
	"context"

	"gpuledger/allocation"
)

// ChunkMonths creates the months that a chunk needs.
func (s *Book) ChunkMonths(ctx context.Context, c *allocation.Chunk) error {
	return s.chunkMonths(ctx, c)
}
