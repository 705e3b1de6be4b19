// Package owner resolves owners (docs/rules.md, section 9): for each dimension separately, the first layer of labels
// that has a value.
//
// Accepted label keys, in order of preference, in any spelling that
// ledger.FoldKey makes equal and with or without the prefix gpuledger.io/:
//
//	team          team, owner-team, owner
//	business unit business-unit
//	project       project
//	model         model, model-name
//	model version model-version
//	stage         stage
//	environment   environment, env
//	cost centre   cost-center
//	experiment    experiment-id, experiment
//	dataset       dataset
//	user          user
//	priority      priority, priority-class
//	queue         kueue.x-k8s.io/queue-name, queue-name, queue
//
// It guarantees one owner id per set of dimensions, whatever labels led to it, and reports two spellings of one key
// that disagree as a conflict instead of hiding one. The policy decides which values may be claimed and who owns
// unlabelled work; the caller passes these decisions in.
package owner
