// Package mig owns the NVIDIA Multi-Instance GPU profiles: how many compute and memory slices a profile takes on a
// card, where it may be placed, and what a layout leaves over.
//
// The same profile name is another fraction on another card (1g.10gb is two memory slices of an A100-40 but one of an
// A100-80), so every call takes the card's model. Profiles that are not in the table are derived from their name and
// marked as such. Weights are integers over one denominator; there are no floats. The package does no I/O.
package mig
