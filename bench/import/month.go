package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"
)

// The month that is billed.
var monthStart = time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)

const (
	payer       = "100000000001"
	tagSetCount = 7000
	things      = 100_000 // resources that are not machines
	gpuMachines = 150
	gpuPercent  = 5 // lines that bill GPU instance time
)

// line is one row of the report in the words of CUR 2.0; product and tags are
// lists of keys and values in turn.
type line struct {
	id                                                       string
	account, lineType, productCode, usageType, operation     string
	zone, resource, description, term, unit, rate, rateCode  string
	instanceType, family, region, serviceName, productFamily string
	plan                                                     string
	start, end                                               time.Time
	usage, unblended, onDemand, planCost                     decimal
	product, tags                                            []string
}

// decimal is a number of at most ten decimals as text, equal to the report's doubles when read back.
type decimal string

func (d decimal) double() float64 {
	v, err := strconv.ParseFloat(string(d), 64)
	if err != nil {
		panic(err) // made below
	}
	return v
}

// service is a kind of line that bills no fleet machine.
type service struct {
	code, name, family, usageType, operation, unit, region string
	rate                                                   int64 // 1e-10 per unit
}

// month makes the lines of one report, always the same for one size.
type month struct {
	random    *rand.Rand
	accounts  []string
	services  []service
	resources []string
	homes     []int // account of each resource
	tagSets   [][]string
	made      int
}

var regions = []string{"us-east-1", "us-west-2", "eu-west-1", "eu-central-1"}

func newMonth() *month {
	m := &month{random: rand.New(rand.NewPCG(2026, 10))}
	for i := range 40 {
		m.accounts = append(m.accounts, fmt.Sprintf("2000000%05d", i))
	}
	families := []struct{ code, name, family, unit string }{
		{"AmazonEC2", "Amazon Elastic Compute Cloud", "Data Transfer", "GB"},
		{"AmazonS3", "Amazon Simple Storage Service", "API Request", "Requests"},
		{"AWSLambda", "AWS Lambda", "Serverless", "Lambda-GB-Second"},
		{"AmazonRDS", "Amazon Relational Database Service", "Database Storage", "GB-Mo"},
		{"AmazonCloudWatch", "AmazonCloudWatch", "Metric", "Metrics"},
		{"AWSELB", "Elastic Load Balancing", "Load Balancer", "LCU-Hrs"},
		{"AmazonEFS", "Amazon Elastic File System", "Storage", "GB-Mo"},
		{"awskms", "AWS Key Management Service", "Encryption Key", "Requests"},
	}
	for i := range 240 {
		f := families[i%len(families)]
		m.services = append(m.services, service{
			f.code, f.name, f.family, fmt.Sprintf("Kind%03d-Usage", i), fmt.Sprintf("Operate%02d", i%37),
			f.unit, regions[i%len(regions)], 100 + m.random.Int64N(4_000_000),
		})
	}
	for i := range things {
		s := m.services[i%len(m.services)]
		m.homes = append(m.homes, m.random.IntN(len(m.accounts)))
		m.resources = append(m.resources,
			fmt.Sprintf("arn:aws:%s:%s:%s:thing/%08x", s.code, s.region, m.accounts[m.homes[i]], i*2654435761))
	}
	for i := range tagSetCount {
		m.tagSets = append(m.tagSets, []string{
			"user_team", fmt.Sprintf("team-%02d", i%40), "user_project", fmt.Sprintf("project-%03d", i%900),
			"user_environment", []string{"prod", "staging", "dev"}[i%3],
			"user_owner", fmt.Sprintf("owner-%04d", i), "user_cost_center",
			fmt.Sprintf("cc-%03d", i%120), "aws_eks_cluster_name", fmt.Sprintf("cluster-%d", i%7)})
	}
	return m
}

// tenths writes units of 1e-10.
func tenths(units int64) decimal {
	sign := ""
	if units < 0 {
		sign, units = "-", -units
	}
	return decimal(fmt.Sprintf("%s%d.%010d", sign, units/1e10, units%1e10))
}

// next makes the next line.
func (m *month) next() line {
	m.made++
	l := line{id: fmt.Sprintf("%016x%016x%016x", m.made*0x9E3779B1, m.made, m.random.Uint64()), term: "OnDemand",
		lineType: "Usage",
		start:    monthStart.Add(time.Duration(m.random.IntN(744)) * time.Hour)}
	l.end = l.start.Add(time.Hour)
	switch n := m.random.IntN(1000); {
	case n < 10*gpuPercent:
		m.machine(&l)
	case n < 10*gpuPercent+2:
		m.tax(&l)
	default:
		m.thing(&l)
	}
	return l
}

// machine bills an hour of a GPU machine, on demand or under a savings plan.
func (m *month) machine(l *line) {
	i := m.random.IntN(gpuMachines)
	l.account, l.region = m.accounts[i%6], regions[i%2]
	l.zone, l.resource = l.region+"abc"[i%3:i%3+1], fmt.Sprintf("i-0%016x", 0xfeed0000+i*7919)
	l.instanceType, l.family = []string{"p5.48xlarge", "g5.2xlarge", "p4d.24xlarge"}[i%3], "GPU instance"
	rate := []int64{983_200_000_000, 12_120_000_000, 327_726_000_000}[i%3]
	l.productCode, l.serviceName, l.productFamily, l.operation, l.unit = "AmazonEC2", "Amazon Elastic Compute Cloud",
		"Compute Instance", "RunInstances", "Hrs"
	l.usageType = "BoxUsage:" + l.instanceType
	l.usage, l.unblended, l.onDemand = "1.0000000000", tenths(rate), tenths(rate)
	l.rate, l.rateCode = string(tenths(rate)), fmt.Sprintf("SKU%d.JRTCKXETXF.6YS6EN2CT7", i%3)
	l.description = fmt.Sprintf("$%s per On Demand Linux %s Instance Hour", l.rate[:len(l.rate)-6], l.instanceType)
	if i%10 == 0 {
		l.lineType, l.term = "SavingsPlanCoveredUsage", ""
		l.plan, l.planCost = "arn:aws:savingsplans::"+payer+":savingsplan/7c1e4e1a-0000-4000-8000-000000000001",
			tenths(rate*6/10)
	}
	l.product = []string{
		"product_name", l.serviceName, "instance_type_family", "p", "gpu",
		"8", "vcpu", "192", "operating_system", "Linux", "tenancy", "Shared",
	}
	l.tags = m.tagSets[i]
}

func (m *month) tax(l *line) {
	l.account, l.lineType, l.term = m.accounts[m.random.IntN(len(m.accounts))], "Tax", ""
	l.start, l.end = monthStart, monthStart.AddDate(0, 1, 0)
	l.productCode, l.serviceName, l.description = "AmazonEC2", "Amazon Elastic Compute Cloud",
		"Tax for product code AmazonEC2"
	l.usage, l.unblended, l.onDemand = "1.0000000000", tenths(m.random.Int64N(90_000_000_000)), "0.0000000000"
}

func (m *month) thing(l *line) {
	i := m.random.IntN(things)
	s := &m.services[i%len(m.services)]
	l.account, l.region, l.resource = m.accounts[m.homes[i]], s.region, m.resources[i]
	l.productCode, l.serviceName, l.productFamily, l.usageType, l.operation, l.unit = s.code, s.name, s.family,
		s.usageType, s.operation, s.unit
	amount := 100_000 * (1 + m.random.Int64N(2_000_000))
	l.usage, l.unblended = tenths(amount), tenths(s.rate*amount/1e10)
	l.onDemand = l.unblended
	l.rate, l.rateCode = string(tenths(s.rate)), fmt.Sprintf("SKU%s.JRTCKXETXF.6YS6EN2CT7", s.usageType[4:7])
	l.description = fmt.Sprintf("$%s per %s of %s in %s", l.rate, s.unit, s.usageType, s.region)
	l.product = []string{"product_name", s.name, "region", s.region, "servicecode", s.code, "group", s.operation}
	l.tags = m.tagSets[i%tagSetCount]
}
