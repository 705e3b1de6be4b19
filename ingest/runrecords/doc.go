// Package runrecords reads the run records of experiment trackers: MLflow's search results and
// CSV exports, runs of Weights & Biases as JSON or CSV.
//
// A run record states that a run with a name, labels and an outcome was worked on from one time
// to another. It becomes a segment of each workload that the record names: pods by tag or host
// name, Slurm jobs by SLURM_JOB_ID. If the workload itself carries the run's id as a label,
// that joins them instead. A record without a workload is counted and left out: the resources
// that it held are unknown.
//
// Labels are the experiment, project, model, dataset and group, and tags that
// name an owner; other tags, parameters and metrics are not kept.
package runrecords
