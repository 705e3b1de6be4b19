// Package work serves the pages about the use of machines: the list of runs, one
// run with its attempts and the explanation of its cost, and the figures of
// training, experiments, models, inference and the queue.
//
// It owns the words for outcomes and budgets, and the time line of a run. A loss
// without a checkpoint is always shown with both of its bounds.
package work
