package ledger

import "testing"

func TestWhatBillsAIByUse(t *testing.T) {
	for name, c := range map[string]struct {
		line     Charge
		category string
		want     bool
	}{
		"Bedrock tokens": {
			Charge{ServiceCode: "AmazonBedrock", UsageType: "USE1-Claude3Sonnet-input-tokens", UsageUnit: "1K tokens"}, "", true,
		},
		"Bedrock on Marketplace": {
			Charge{
				ServiceName: "Claude Sonnet 4 (Amazon Bedrock Edition)",
				ServiceCode: "7v3k", UsageType: "USE1-MP:USE1_OutputTokenCount-Units",
			}, "", true,
		},
		"Comprehend": {Charge{ServiceCode: "comprehend", UsageType: "USE1-DetectSentiment"}, "", true},
		"SageMaker serverless": {
			Charge{ServiceCode: "AmazonSageMaker", UsageType: "USE1-ServerlessInf:Mem-2GB"}, "", true,
		},
		"SageMaker storage": {
			Charge{ServiceCode: "AmazonSageMaker", UsageType: "USE1-Studio:VolumeUsage.gp3"}, "AI and Machine Learning", false,
		},
		"SageMaker machine": {
			Charge{ServiceCode: "AmazonSageMaker", InstanceType: "ml.m5.xlarge"}, "AI and Machine Learning", false,
		},
		"Azure OpenAI": {
			Charge{
				ServiceCode: "microsoft.cognitiveservices", ServiceName: "Foundry Models",
				UsageType: "gpt-4o Inp regnl", UsageUnit: "1M",
			}, "", true,
		},
		"Gemini": {
			Charge{ServiceName: "Gemini API", UsageType: "8D4E", Description: "Generate content input token count gemini 2.5"},
			"", true,
		},
		"Vertex AI": {Charge{ServiceName: "Vertex AI", Description: "Imagen 3 generation"}, "", true},
		"Vertex AI machine": {
			Charge{ServiceName: "Vertex AI", Description: "Online Prediction N1 Instance Core running in Americas"}, "", false,
		},
		"Oracle": {
			Charge{ServiceName: "Oracle Cloud Infrastructure Generative AI", Description: "Large Cohere - 10,000 transactions"},
			"", true,
		},
		"neocloud": {
			Charge{ServiceName: "Serverless Inference", Description: "llama-3.3-70b", UsageUnit: "1M requests"}, "", true,
		},
		"tokens anywhere": {Charge{ServiceName: "Inference", UsageUnit: "tokens"}, "", true},
		"FOCUS category": {
			Charge{ServiceName: "Speech Studio", UsageUnit: "Requests"}, "AI and Machine Learning", true,
		},
		"hours of the category": {
			Charge{ServiceName: "Notebook", UsageUnit: "Hours"}, "AI and Machine Learning", false,
		},
		"Lambda": {
			Charge{ServiceCode: "AWSLambda", ServiceName: "AWS Lambda", UsageType: "Request"}, "Compute", false,
		},
		"serverless database": {Charge{ServiceName: "Aurora Serverless", UsageType: "ACU"}, "Databases", false},
		"secrets": {
			Charge{ServiceCode: "AWSSecretsManager", Description: "security token rotation"}, "", false,
		},
		"counted, whatever its name": {
			Charge{ServiceName: "Acme Studio", UsageType: "vCPU-free call", UsageUnit: "Requests"},
			"AI and Machine Learning", true,
		},
		"storage of the category": {
			Charge{ServiceName: "Acme Studio", Description: "dataset storage", UsageUnit: "GB-Mo"},
			"AI and Machine Learning", false,
		},
		"a name is no category":       {Charge{ServiceName: "Cohere archive", UsageUnit: "Requests"}, "Storage", false},
		"tokens of any category":      {Charge{ServiceName: "Gateway", UsageUnit: "1K tokens"}, "Networking", true},
		"a category that says little": {Charge{ServiceName: "Amazon Bedrock", UsageUnit: "Units"}, "Other", true},
		"a machine":                   {Charge{ServiceName: "Vertex AI", InstanceHours: true}, "", false},
	} {
		if got := PerUse(&c.line, c.category); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
