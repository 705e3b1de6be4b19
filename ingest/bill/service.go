package bill

import (
	"slices"
	"strings"

	"gpuledger/internal/ledger"
)

// services are words of services' codes and names, in lower case, with their category and subcategory in FOCUS. The
// first that is found decides, so special ones come before general ones.
var services = []struct{ words, category, sub string }{
	{"support", "Management and Governance", "Support"},
	{"bedrock|openai|gemini|generative", "AI and Machine Learning", "Generative AI"},
	{"sagemaker|machine learning|vertex|ai platform", "AI and Machine Learning", "Machine Learning"},
	{"cognitive|comprehend|language", "AI and Machine Learning", "Natural Language Processing"},
	{"container registry|artifact registry|ecr", "Developer Tools", "Source Code Management"},
	{"kubernetes|eks|ecs|container|fargate", "Compute", "Containers"},
	{"lambda|functions|cloud run", "Compute", "Serverless Compute"},
	{"data transfer|datatransfer|bandwidth|vpc|virtual network|networking|load balanc|elb|nat gateway|direct " +
		"connect|expressroute", "Networking", "Network Connectivity"},
	{"cloudfront|cdn|front door", "Networking", "Content Delivery"},
	{"route53|route 53|dns", "Networking", "Network Routing"},
	{"s3|simple storage|cloud storage|blob", "Storage", "Object Storage"},
	{"efs|elastic file|fsx|filestore|netapp|lustre|files", "Storage", "File Storage"},
	{"backup", "Storage", "Backup Storage"},
	{"disk|block store|ebs", "Storage", "Block Storage"},
	{"storage", "Storage", "Storage Platforms"},
	{"rds|cloud sql|sql database|aurora|postgres|mysql|spanner", "Databases", "Relational Databases"},
	{"dynamodb|cosmos|firestore|bigtable|mongo", "Databases", "NoSQL Databases"},
	{"elasticache|redis|memorystore|cache", "Databases", "Caching"},
	{"redshift|bigquery|synapse|snowflake|warehouse", "Databases", "Data Warehouses"},
	{"cloudwatch|monitor|logging|log analytics|cloudtrail|prometheus|grafana", "Management and Governance",
		"Observability"},
	{"kms|key management|key vault|secret", "Security", "Secret Management"},
	{"guardduty|defender|security", "Security", "Other (Security)"},
	{"sns|sqs|pub/sub|queue|messaging", "Integration", "Messaging"},
	{"glue|dataflow|dataproc|emr|kinesis|data factory", "Analytics", "Data Processing"},
	{"ec2|compute|virtual machines|owned", "Compute", "Virtual Machines"},
}

// serviceCategory is FOCUS ServiceCategory and ServiceSubcategory.
func serviceCategory(c *ledger.Charge) (category, sub string) {
	switch {
	case perUse(c):
		return "AI and Machine Learning", "AI Platforms"
	case c.InstanceHours:
		return "Compute", "Virtual Machines"
	}
	text := strings.ToLower(c.ServiceCode + " " + c.ServiceName)
	single := strings.FieldsFunc(text, func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9') })
	for _, s := range services {
		for word := range strings.SplitSeq(s.words, "|") {
			if strings.Contains(word, " ") && strings.Contains(text, word) || slices.ContainsFunc(single, names(word)) {
				return s.category, s.sub
			}
		}
	}
	return "Other", "Other (Other)"
}

// perUse reports whether a line bills AI by its use, not a machine.
func perUse(c *ledger.Charge) bool { return c.BillsGPU && c.InstanceID == "" && !c.InstanceHours }

// names reports whether a word of a service is word, without the maker's name in front; long words may go on.
func names(word string) func(string) bool {
	return func(of string) bool {
		of = strings.TrimPrefix(strings.TrimPrefix(of, "amazon"), "aws")
		return of == word || len(word) >= 5 && strings.Contains(of, word)
	}
}
