// Package costs serves the pages about where the money went: the overview, and
// the figures of waste, recommendations, spot, commitments and chargeback.
//
// The overview reads costs once, as a cube of exact amounts. All its panels sum
// the same rows, so they cannot disagree. The package decides which facts deserve
// attention and what to show when a source is missing: figures that the missing
// source could change are omitted, not shown as zero.
package costs
