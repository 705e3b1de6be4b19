// Package work answers the pages about what machines were used for: the list of
// runs, one run with its attempts and the explanation of its cost, and the
// figures of training, experiments, models, inference and the queue.
//
// It owns the words for outcomes and budgets and the drawing of a run in time. A
// loss that no checkpoint proves is always said with both of its bounds.
package work
