// Package runrecords reads what experiment trackers know of runs: MLflow's search
// results and CSV exports, runs of Weights & Biases as JSON or CSV.
//
// A run record says that a run with a name, labels and an outcome was worked on
// from one time to another. It becomes a segment of each workload that the record
// names: pods by tag or host name, Slurm jobs by SLURM_JOB_ID. Where the workload
// itself carries the run's id as a label, that joins them instead. A record that
// names no workload is counted and left out: nothing can be said of what it held.
//
// Labels are the experiment, project, model, dataset and group, and tags that
// name an owner; other tags, parameters and metrics are not kept.
package runrecords
