// Package slurm reads Slurm's accounting of jobs: the parsable output of sacct (-P, any
// delimiter, columns in any order), records of Key=Value fields, the output of squeue, sacct
// --json and the jobs of slurmrestd in all their versions, and scontrol show job.
//
// It owns the meaning of these texts: which rows are jobs and which repeat them as steps, the
// number of GPUs in a list of trackable resources (TRES), the machines of a node list, the
// instant of a time without a zone, and which lives of a requeued job belong together. Facts
// are those of docs/rules.md 4.9, 6.3 and 6.7: one workload per life of a job and node, its
// root owner the job.
//
// It refuses text without column names (unless its columns are those of a known tool), output
// that was cut to a width, and endless lines. A row that cannot be parsed is rejected with its
// line; separators and line ends in free text are repaired if the other columns leave only one
// way to read the row.
//
// There is one fact per life, job and node, whatever the format: rows in several exports are
// the same facts. Times never come from the reader's clock: a running job was last seen its
// elapsed time after its start.
package slurm
