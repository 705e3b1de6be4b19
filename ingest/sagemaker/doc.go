// Package sagemaker reads SageMaker's jobs: the responses of DescribeTrainingJob,
// DescribeProcessingJob, DescribeTransformJob, of their lists, of Search, and the events of
// their changes, one per file or many.
//
// It owns their meaning: one job spans the interruptions of managed spot training, each of
// which begins a new attempt; which times of an attempt are billed; how many GPUs an instance
// type has. A job runs on no machine of the ledger: its workloads have no machine, and their
// uid is its ARN (with # and a number from the second attempt on), by which metered charges
// find it.
//
// From environments and hyperparameters it takes only identifiers of runs, since they contain
// secrets.
package sagemaker
