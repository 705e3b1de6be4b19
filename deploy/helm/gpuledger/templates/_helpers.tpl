{{- define "gpuledger.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" }}
{{- end }}

{{- define "gpuledger.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" }}
{{- else if contains (include "gpuledger.name" .) .Release.Name }}
{{- .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "gpuledger.name" .) | trunc 40 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{/* Labels that selectors use: they never change. Takes a list of the root and the component. */}}
{{- define "gpuledger.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ include "gpuledger.name" $root }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "gpuledger.labels" -}}
{{- $root := index . 0 -}}
{{ include "gpuledger.selector" . }}
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version }}
{{- end }}

{{- define "gpuledger.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "gpuledger.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{/* Takes a list of the root and an image of the values. */}}
{{- define "gpuledger.image" -}}
{{- $root := index . 0 }}{{ $image := index . 1 -}}
{{- if $image.digest -}}
{{ $image.repository }}@{{ $image.digest }}
{{- else -}}
{{ $image.repository }}:{{ default $root.Chart.AppVersion $image.tag }}
{{- end }}
{{- end }}

{{/* The Secret and key with the address of the database. */}}
{{- define "gpuledger.databaseEnv" -}}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef:
    {{- if .Values.postgresql.enabled }}
      name: {{ default (printf "%s-postgresql" (include "gpuledger.fullname" .)) .Values.postgresql.passwordSecret }}
      key: url
    {{- else }}
      name: {{ .Values.database.secretName }}
      key: {{ .Values.database.secretKey }}
    {{- end }}
{{- end }}

{{/* The level "restricted" of PodSecurity. */}}
{{- define "gpuledger.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "gpuledger.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities: {drop: [ALL]}
{{- end }}

{{- define "gpuledger.scheme" -}}
{{ if .Values.server.tls.secretName }}https{{ else }}http{{ end }}
{{- end }}

{{/* The address of this release's server inside the cluster. */}}
{{- define "gpuledger.url" -}}
{{ include "gpuledger.scheme" . }}://{{ include "gpuledger.fullname" . }}.{{ .Release.Namespace }}.svc:{{ .Values.server.service.port }}
{{- end }}

{{/* gpuledger.yaml of the server: config, and the cluster that it runs in. */}}
{{- define "gpuledger.config" -}}
{{- $config := deepCopy .Values.config -}}
{{- if .Values.watch.enabled -}}
{{- $own := dict "cluster" .Values.watch.cluster -}}
{{- $_ := set $config "kubernetes" (append (default list $config.kubernetes) $own) -}}
{{- end -}}
{{ toYaml $config }}
{{- end }}

{{/* gpuledger.yaml of workers: the server alone takes telemetry and signs users in. */}}
{{- define "gpuledger.workerConfig" -}}
{{- $config := omit (deepCopy .Values.config) "scrape" "kubernetes" "spot_events" "remote_write" "access" "operators" -}}
{{- $allocation := deepCopy (default dict $config.allocation) -}}
{{- $_ := set $allocation "workers" (int .Values.workers.slots) -}}
{{- $_ := set $config "allocation" $allocation -}}
{{ toYaml $config }}
{{- end }}

{{/* Values that cannot be used together, and values that depend on others. */}}
{{- define "gpuledger.check" -}}
{{- if .Values.server.enabled -}}
{{- if and .Values.postgresql.enabled .Values.database.secretName -}}
{{- fail "database.secretName and postgresql.enabled are both set: set postgresql.enabled=false to use your own PostgreSQL" -}}
{{- end -}}
{{- if not (or .Values.postgresql.enabled .Values.database.secretName) -}}
{{- fail "no database: set database.secretName to a Secret that holds its address, or postgresql.enabled=true for a trial" -}}
{{- end -}}
{{- end -}}
{{- if and .Values.watch.enabled (not .Values.watch.cluster) -}}
{{- fail "watch.cluster is empty: name the cluster as its telemetry does" -}}
{{- end -}}
{{- if and .Values.agent.enabled (not .Values.server.enabled) (not .Values.agent.server) -}}
{{- fail "agent.server is empty, and this release has no server: give the address of one, such as https://gpu.example.com" -}}
{{- end -}}
{{- end }}
