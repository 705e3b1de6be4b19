// Package costs answers the pages about where the money went: the overview, and
// the figures of waste, advice, spot and commitments.
//
// The overview asks costs once, as a cube of exact amounts; every panel of it
// adds up the same rows, so that no two disagree. It owns which facts deserve
// attention and what a ledger that lacks a source may say: what a missing source
// could change is left out and not shown as zero.
package costs
