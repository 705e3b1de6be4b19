// Package sagemaker reads what SageMaker says of its jobs: the answers of
// DescribeTrainingJob, DescribeProcessingJob, DescribeTransformJob, of their
// lists, of Search, and the events of their changes, one per file or many.
//
// It owns what they mean: one job spans the interruptions of managed spot
// training, each of which begins a new attempt; which times of an attempt are
// billed; how many GPUs an instance type has. A job runs on no machine of the
// ledger: its workloads name none, their uid is its ARN (with # and a number from
// the second attempt on), by which metered charges find it.
//
// It takes identifiers of runs out of environments and hyperparameters, and
// nothing else of them: they hold secrets.
package sagemaker
