package nvidiasmi

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"gpuledger/ingest/series"
)

// document is <nvidia_smi_log>. One element name occurs under several parents (power_draw of
// the GPU and of its module), so every value has a full path.
type document struct {
	XMLName   xml.Name `xml:"nvidia_smi_log"`
	Timestamp string   `xml:"timestamp"`
	Driver    string   `xml:"driver_version"`
	Attached  string   `xml:"attached_gpus"`
	GPUs      []struct {
		BusID     string `xml:"id,attr"`
		Model     string `xml:"product_name"`
		UUID      string `xml:"uuid"`
		MIG       string `xml:"mig_mode>current_mig"`
		Instances []struct {
			GPUInstance     string `xml:"gpu_instance_id"`
			ComputeInstance string `xml:"compute_instance_id"`
			Multiprocessors string `xml:"device_attributes>shared>multiprocessor_count"`
			Memory          memory `xml:"fb_memory_usage"`
		} `xml:"mig_devices>mig_device"`
		Memory       memory  `xml:"fb_memory_usage"`
		Utilization  string  `xml:"utilization>gpu_util"`
		MemoryUtil   string  `xml:"utilization>memory_util"`
		Temperature  string  `xml:"temperature>gpu_temp"`
		Power        string  `xml:"power_readings>power_draw"`             // v11
		PowerDraw    string  `xml:"gpu_power_readings>power_draw"`         // v12
		PowerAverage string  `xml:"gpu_power_readings>average_power_draw"` // later v12
		PowerInstant string  `xml:"gpu_power_readings>instant_power_draw"`
		Transmitted  string  `xml:"pci>tx_util"`
		Received     string  `xml:"pci>rx_util"`
		ThrottleOld  reasons `xml:"clocks_throttle_reasons"`
		Throttle     reasons `xml:"clocks_event_reasons"`
		Processes    []struct {
			GPUInstance string `xml:"gpu_instance_id"`
			PID         string `xml:"pid"`
			Type        string `xml:"type"`
			Name        string `xml:"process_name"`
			Memory      string `xml:"used_memory"`
		} `xml:"processes>process_info"`
	} `xml:"gpu"`
}

type memory struct {
	Total string `xml:"total"`
	Used  string `xml:"used"`
	Free  string `xml:"free"`
}

// reasons is a list of elements such as <clocks_event_reason_hw_slowdown>.
type reasons struct {
	Each []struct {
		XMLName xml.Name
		State   string `xml:",chardata"`
	} `xml:",any"`
}

// reasonBits are NVML's clocks event reasons by the end of the element's name.
var reasonBits = []struct {
	name string
	bit  uint64
}{
	{"gpu_idle", 0x1}, {"applications_clocks_setting", 0x2}, {"sw_power_cap", 0x4}, {"hw_thermal_slowdown", 0x40},
	{"hw_power_brake_slowdown", 0x80}, {"sw_thermal_slowdown", 0x20},
	{"sync_boost", 0x10}, {"display_clocks_setting", 0x100}, {"hw_slowdown", 0x8},
}

// parseXML reads one document.
func parseXML(text []byte, zone *time.Location) (*Snapshot, []problem, error) {
	var doc document
	dec := xml.NewDecoder(strings.NewReader(string(text)))
	// Old drivers declare character sets that they do not use.
	dec.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	if err := dec.Decode(&doc); err != nil {
		return nil, nil, fmt.Errorf("the XML cannot be read: %w", err)
	}
	s := &Snapshot{Driver: strings.TrimSpace(doc.Driver)}
	var found []problem
	var ok bool
	if s.At, ok = instant(doc.Timestamp, zone); !ok && !absent(doc.Timestamp) {
		found = append(found, problem{"bad time", "timestamp", doc.Timestamp})
	}
	// Devices are listed in NVML's order, unless some were left out.
	attached, err := strconv.Atoi(strings.TrimSpace(doc.Attached))
	indexed := err == nil && attached == len(doc.GPUs)
	for i, g := range doc.GPUs {
		gpu := GPU{
			Index: -1, UUID: strings.TrimSpace(g.UUID), Model: series.ModelName(g.Model),
			BusID: g.BusID, MIG: strings.EqualFold(strings.TrimSpace(g.MIG), "enabled"),
		}
		if indexed {
			gpu.Index = i
		}
		if absent(gpu.UUID) {
			found = append(found, problem{"no device uuid", "uuid", g.BusID + ": " + gpu.UUID})
			continue
		}
		add := func(to *[]Reading, m Metric, cell string) bool {
			d, ok, bad := quantity(cell, "")
			if bad {
				found = append(found, problem{"bad value", string(m), cell})
			}
			if ok {
				*to = append(*to, Reading{m, d})
			}
			return ok
		}
		add(&gpu.Readings, MetricUtilization, g.Utilization)
		add(&gpu.Readings, MetricMemoryCopy, g.MemoryUtil)
		add(&gpu.Readings, MetricMemoryUsed, g.Memory.Used)
		add(&gpu.Readings, MetricMemoryFree, g.Memory.Free)
		add(&gpu.Readings, MetricTemperature, g.Temperature)
		add(&gpu.Readings, MetricPCIeTx, g.Transmitted)
		add(&gpu.Readings, MetricPCIeRx, g.Received)
		for _, cell := range []string{g.PowerDraw, g.PowerAverage, g.PowerInstant, g.Power} {
			if add(&gpu.Readings, MetricPower, cell) {
				break
			}
		}
		if mask, ok := g.Throttle.mask(); ok {
			gpu.Readings = append(gpu.Readings, Reading{MetricThrottle, mask})
		} else if mask, ok := g.ThrottleOld.mask(); ok {
			gpu.Readings = append(gpu.Readings, Reading{MetricThrottle, mask})
		}
		for _, m := range g.Instances {
			gi, err := strconv.Atoi(strings.TrimSpace(m.GPUInstance))
			if err != nil || gi < 0 {
				found = append(found, problem{"bad slice id", "gpu_instance_id", m.GPUInstance})
				continue
			}
			in := Instance{
				GPUInstance: gi, ComputeInstance: numberOr(m.ComputeInstance, 0),
				Multiprocessors: numberOr(m.Multiprocessors, 0), MemoryMiB: mebibytes(m.Memory.Total),
			}
			add(&in.Readings, MetricMemoryUsed, m.Memory.Used)
			add(&in.Readings, MetricMemoryFree, m.Memory.Free)
			gpu.Instances = append(gpu.Instances, in)
		}
		deriveProfiles(&gpu, mebibytes(g.Memory.Total))
		for _, p := range g.Processes {
			pid, err := strconv.Atoi(strings.TrimSpace(p.PID))
			if err != nil {
				continue // a heading without processes
			}
			one := Process{
				PID: pid, Name: strings.TrimSpace(p.Name), GPUInstance: numberOr(p.GPUInstance, -1),
				Graphics: strings.TrimSpace(p.Type) == "G",
			}
			one.Memory, one.Known, _ = quantity(p.Memory, "")
			gpu.Processes = append(gpu.Processes, one)
		}
		s.GPUs = append(s.GPUs, gpu)
	}
	return s, found, nil
}

// mask turns the list into NVML's bits; false if it has none of the reasons.
func (r reasons) mask() (series.Decimal, bool) {
	var mask uint64
	known := false
	for _, e := range r.Each {
		state := strings.TrimSpace(e.State)
		for _, b := range reasonBits {
			if !strings.HasSuffix(e.XMLName.Local, b.name) {
				continue
			}
			switch state {
			case "Active":
				mask |= b.bit
				known = true
			case "Not Active":
				known = true
			}
			break
		}
	}
	d, _ := series.ParseDecimal(strconv.AppendUint(nil, mask, 10))
	return d, known
}

func numberOr(text string, otherwise int) int {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < 0 {
		return otherwise
	}
	return n
}

// mebibytes reads "19968 MiB", 0 for other texts.
func mebibytes(text string) int64 {
	number, unit, _ := strings.Cut(strings.TrimSpace(text), " ")
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || unit != "MiB" && unit != "" {
		return 0
	}
	return n
}
