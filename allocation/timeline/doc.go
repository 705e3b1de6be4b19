// Package timeline turns hours of minute samples into the state of one GPU slot over a stretch of time: its layout, the
// activity of each slice and the energy of each minute (docs/rules.md, sections 1, 3 and 5).
//
// It owns the minute grid. It guarantees that the order of the sample rows and their cut into several rows change
// nothing, and that a minute without a sample stays unknown. It knows nothing of pods, money or causes and does no I/O.
package timeline
