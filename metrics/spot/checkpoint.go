package spot

// CheckpointSeconds is the assumed time to write a checkpoint if nothing was reported.
const CheckpointSeconds = 60
