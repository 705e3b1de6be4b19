// Package slurm reads what Slurm's accounting says about jobs: the parsable
// output of sacct (-P, any delimiter, columns in any order), records of
// Key=Value fields, the output of squeue, sacct --json and the jobs of
// slurmrestd in all their versions, and scontrol show job.
//
// It owns what these texts mean: which rows are jobs and which repeat them as
// steps, how many GPUs a list of trackable resources (TRES) stands for, which
// machines a node list names, when a time without a zone was, which lives of a
// requeued job belong together. Facts are those of docs/rules.md 4.9, 6.3 and
// 6.7: one workload per life of a job and node, its root owner the job.
//
// It refuses text without column names (unless its columns are those of a known
// tool), output that was cut to a width, and lines without end. A row that
// cannot be taken apart is rejected with its line; separators and line ends in
// free text are mended where the other columns leave one way to read the row.
//
// It guarantees one fact per life, job and node whatever the format: rows
// that are in several exports are the same facts. Times never come from the
// reader's clock: a running job was last seen its elapsed time after its start.
package slurm
