package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"gpuledger/internal/agent"
	"gpuledger/internal/localpg"
)

// agentCmd watches the GPUs of the machine it runs on.
type agentCmd struct {
	Server    string        `required:"" env:"GPULEDGER_SERVER" placeholder:"URL" help:"gpuledger server to send samples to."`
	Node      string        `env:"NODE_NAME" help:"Name of this machine in its cluster: Kubernetes node name, Slurm NodeName. Default: the host name."`
	Cluster   string        `env:"GPULEDGER_CLUSTER" help:"Cluster of this machine, if the server does not know it."`
	Interval  time.Duration `default:"15s" help:"Time between samples."`
	Batch     time.Duration `default:"30s" help:"Time between deliveries: samples taken meanwhile are sent together."`
	Buffer    string        `type:"path" placeholder:"DIR" help:"Directory that keeps batches while the server is unreachable. Default: agent-buffer in the data directory."`
	Limit     int64         `default:"268435456" help:"Maximum size of the buffer in bytes. When it is full, the oldest batches are dropped."`
	TokenFile string        `type:"path" placeholder:"FILE" help:"File with the bearer token of the server."`
	NvidiaSMI string        `name:"nvidia-smi" default:"nvidia-smi" help:"Program that queries the driver."`
	Proc      string        `default:"/proc" type:"path" help:"The host's /proc, if the agent runs in a container."`
}

// sampleTimeout bounds one call of nvidia-smi: a driver that hangs must not
// stop the agent.
const sampleTimeout = 10 * time.Second

// Run implements the command.
func (c *agentCmd) Run(a *app) error {
	if c.Node == "" {
		name, err := os.Hostname()
		if err != nil {
			return fmt.Errorf("find the host name (or give --node): %w", err)
		}
		c.Node = name
	}
	token := ""
	if c.TokenFile != "" {
		text, err := os.ReadFile(c.TokenFile)
		if err != nil {
			return fmt.Errorf("read the token: %w", err)
		}
		token = strings.TrimSpace(string(text))
	}
	if c.Buffer == "" {
		dir := a.flags.DataDir
		if dir == "" {
			var err error
			if dir, err = localpg.DefaultDataDir(); err != nil {
				return err
			}
		}
		c.Buffer = filepath.Join(dir, "agent-buffer")
	}
	return agent.Run(a.ctx, agent.Options{
		Server: c.Server, Token: token, Node: c.Node, Cluster: c.Cluster, Interval: c.Interval, Batch: c.Batch,
		Dir: c.Buffer, Limit: c.Limit, NvidiaSMI: c.ask, Proc: os.DirFS(c.Proc),
		Client: &http.Client{Timeout: 30 * time.Second}, Clock: wallClock{}, Log: a.log, Random: rand.Float64,
	})
}

// ask runs nvidia-smi. An error carries up to 200 bytes of its output.
func (c *agentCmd) ask(ctx context.Context, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, sampleTimeout)
	defer cancel()
	out, err := exec.CommandContext(ctx, c.NvidiaSMI, args...).Output()
	if err == nil {
		return out, nil
	}
	text := strings.TrimSpace(string(out))
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(exit.Stderr) > 0 {
		text = strings.TrimSpace(string(exit.Stderr))
	}
	if len(text) > 200 {
		text = text[:200]
	}
	return out, fmt.Errorf("%s %s: %w: %s", c.NvidiaSMI, strings.Join(args, " "), err, text)
}

type wallClock struct{}

func (wallClock) Now() time.Time                         { return time.Now() }
func (wallClock) After(d time.Duration) <-chan time.Time { return time.After(d) }
