{{/* The name of everything in a release; short enough for a label, and for a suffix. */}}
{{- define "pointbook.name" -}}
{{- if contains "pointbook" .Release.Name }}{{ .Release.Name | trunc 52 | trimSuffix "-" }}
{{- else }}{{ printf "%s-pointbook" .Release.Name | trunc 52 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* What tells the instances of a release from other pods; never changed, since a Deployment cannot change it. */}}
{{- define "pointbook.selector" -}}
app.kubernetes.io/name: pointbook
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: instance
{{- end }}

{{- define "pointbook.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
app.kubernetes.io/name: pointbook
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "pointbook.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}{{ .Values.serviceAccount.name | default (include "pointbook.name" .) }}
{{- else }}{{ .Values.serviceAccount.name | default "default" }}{{ end }}
{{- end }}

{{- define "pointbook.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* For a pod: the user of the image, who is not root. */}}
{{- define "pointbook.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{/* For a container: nothing is written, and nothing more is allowed later. */}}
{{- define "pointbook.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* For a container and for its pod: the authority that vouches for the database, where it is one of your own. */}}
{{- define "pointbook.caMount" -}}
{{- if .Values.database.caSecretName -}}
volumeMounts:
  - name: database-ca
    mountPath: /etc/pointbook/ca
    readOnly: true
{{- end }}
{{- end }}

{{- define "pointbook.caVolume" -}}
{{- with .Values.database.caSecretName -}}
volumes:
  - name: database-ca
    secret:
      secretName: {{ . }}
      items:
        - key: ca.crt
          path: ca.crt
{{- end }}
{{- end }}

{{/* What `kubectl run pointbook-command` needs beside an image: the owner's URL, and nothing that could do harm. */}}
{{- define "pointbook.commandPod" -}}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  securityContext:
    {{- include "pointbook.podSecurity" . | nindent 4 }}
  {{- with .Values.image.pullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: pointbook-command
      env:
        - name: POINTBOOK_DATABASE
          valueFrom:
            secretKeyRef:
              name: {{ .Values.database.secretName }}
              key: {{ .Values.database.ownerKey }}
      securityContext:
        {{- include "pointbook.containerSecurity" . | nindent 8 }}
      {{- with include "pointbook.caMount" . }}
      {{- . | nindent 6 }}
      {{- end }}
  {{- with include "pointbook.caVolume" . }}
  {{- . | nindent 2 }}
  {{- end }}
{{- end }}
