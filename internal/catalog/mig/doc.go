// Package mig owns what NVIDIA Multi-Instance GPU profiles are: how many
// compute and memory slices a profile takes on a card, where it may be placed,
// and what a layout leaves over.
//
// The same profile name is another fraction on another card (1g.10gb is two
// memory slices of an A100-40 but one of an A100-80), so every question is
// asked with the card's model. Profiles that the table does not know are
// derived from their name and marked as such. Weights are integers over one
// denominator; there are no floats. The package does no I/O.
package mig
