import type { Manifest } from './manifest.ts'
import { parseManifests } from './render.ts'

/** One mistake in otherwise correct manifests, and which check notices it. */
export interface Mistake {
  what: string
  /** The replacement of a text that occurs once in {@link RIGHT}. */
  instead: string
  of: string
  /**
   * Message of the check without a cluster; undefined for a rule that only our own pods must follow
   * (guard-rails.test.ts).
   */
  said?: RegExp
  /** Message of an API server; undefined if it does not notice: it never checks references. */
  refused?: RegExp
}

/** One object of most kinds that we use, without faults. */
export const RIGHT = `apiVersion: apps/v1
kind: Deployment
metadata: { name: right, labels: { app: right } }
spec:
  selector: { matchLabels: { app: right } }
  template:
    metadata: { labels: { app: right } }
    spec:
      securityContext: { runAsNonRoot: true, seccompProfile: { type: RuntimeDefault } }
      containers:
        - name: right
          image: right
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: [ALL] } }
          ports: [{ name: http, containerPort: 8080 }]
          readinessProbe: { httpGet: { path: /, port: http } }
          resources: { requests: { cpu: 50m, memory: 1Gi }, limits: { cpu: "1", memory: 1Gi } }
          volumeMounts: [{ name: tmp, mountPath: /tmp }]
      volumes: [{ name: tmp, emptyDir: { sizeLimit: 1Mi } }]
---
apiVersion: v1
kind: Service
metadata: { name: right }
spec:
  selector: { app: right }
  ports: [{ name: http, port: 80, targetPort: http }]
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: right }
spec: { maxUnavailable: 1, selector: { matchLabels: { app: right } } }
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: right }
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: right }
  minReplicas: 2
  maxReplicas: 4
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: right }
spec:
  rules:
    - host: right.example
      http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: right, port: { name: http } } } }] }
---
apiVersion: postgresql.cnpg.io/v1
kind: ScheduledBackup
metadata: { name: right }
spec: { schedule: "0 0 3 * * *", cluster: { name: right } }
---
apiVersion: barmancloud.cnpg.io/v1
kind: ObjectStore
metadata: { name: right }
spec: { configuration: { destinationPath: "s3://right" }, retentionPolicy: 30d }
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: { name: right }
spec:
  scaleTargetRef: { name: right }
  triggers: [{ type: redis, metadata: { listName: right } }]
`

export const MISTAKES: readonly Mistake[] = [
  {
    what: 'an unknown field',
    instead: 'selector: { matchLabels: { app: right } }\n  replicaz: 2\n  template',
    of: 'selector: { matchLabels: { app: right } }\n  template',
    said: /replicaz.* does not exist/,
    refused: /unknown field "spec\.replicaz"/,
  },
  {
    what: 'a deeply nested unknown field',
    instead: 'readinessProbe: { periodSecond: 1, httpGet',
    of: 'readinessProbe: { httpGet',
    said: /periodSecond.* does not exist/,
    refused: /unknown field ".*periodSecond"/,
  },
  {
    what: 'a wrong type',
    instead: 'containerPort: "8080"',
    of: 'containerPort: 8080',
    said: /'string' is not assignable to type 'number'/,
    refused: /cannot unmarshal string .*containerPort/,
  },
  {
    what: 'a fraction instead of an integer',
    instead: 'containerPort: 80.5',
    of: 'containerPort: 8080',
    said: /integer|int32/i,
    refused: /cannot unmarshal number 80\.5/,
  },
  {
    what: 'a missing field',
    instead: 'containers:\n        - image: right',
    of: 'containers:\n        - name: right\n          image: right',
    said: /name.* is missing/,
    refused: /containers\[0\]\.name: Required value/,
  },
  {
    what: 'a value outside the enumeration',
    instead: 'pathType: Prefixed',
    of: 'pathType: Prefix',
    said: /"Prefixed"' is not assignable|"Prefixed" is not assignable/,
    refused: /pathType: .*Prefixed/,
  },
  {
    what: 'a removed API version',
    instead: 'apiVersion: autoscaling/v2beta2',
    of: 'apiVersion: autoscaling/v2',
    said: /autoscaling\/v2beta2 is a version that will be removed/,
    refused: /no matches for kind "HorizontalPodAutoscaler" in version "autoscaling\/v2beta2"/,
  },
  {
    what: 'an unknown kind',
    instead: 'kind: Scheduledbackup',
    of: 'kind: ScheduledBackup',
    said: /Scheduledbackup/,
    refused: /no matches for kind "Scheduledbackup"/,
  },
  {
    what: 'an unknown field of a custom resource',
    instead: 'schedul: x, schedule',
    of: 'schedule',
    said: /"schedul".* does not exist/,
    refused: /unknown field "spec\.schedul"/,
  },
  {
    what: 'an unknown field of an object store',
    instead: 'destinationPath: "s3://right", bucket: x',
    of: 'destinationPath: "s3://right"',
    said: /"bucket".* does not exist/,
    refused: /unknown field "spec\.configuration\.bucket"/,
  },
  {
    what: 'an invalid retention',
    instead: 'retentionPolicy: 30 days',
    of: 'retentionPolicy: 30d',
    said: /30 days/,
    refused: /retentionPolicy.*30 days/,
  },
  {
    what: 'a missing field of a custom resource',
    instead: 'triggers: [{ type: redis }]',
    of: 'triggers: [{ type: redis, metadata: { listName: right } }]',
    said: /metadata.* is missing/,
    refused: /metadata: Required value/,
  },
  {
    what: 'a bad quantity',
    instead: 'memory: 1Gb }, limits',
    of: 'memory: 1Gi }, limits',
    said: /"1Gb" is no quantity/,
    refused: /quantities must match/,
  },
  {
    what: 'a bad size',
    instead: 'sizeLimit: 1 Mi',
    of: 'sizeLimit: 1Mi',
    said: /"1 Mi" is no quantity/,
    refused: /quantities must match/,
  },
  {
    what: 'a request above its limit',
    instead: 'requests: { cpu: 1500m',
    of: 'requests: { cpu: 50m',
    said: /more cpu than its limit/,
    refused: /must be less than or equal to cpu limit/,
  },
  {
    what: 'a selector that does not match its pods',
    instead: 'metadata: { labels: { app: rihgt } }',
    of: 'metadata: { labels: { app: right } }',
    said: /does not match its own pods/,
    refused: /`selector` does not match template `labels`/,
  },
  {
    what: 'a service without pods',
    instead: 'selector: { app: rihgt }',
    of: 'selector: { app: right }',
    said: /it has no pods/,
  },
  {
    what: 'a missing target port',
    instead: 'targetPort: htpt',
    of: 'targetPort: http',
    said: /no port htpt/,
  },
  {
    what: 'a port name that is too long',
    instead: 'ports: [{ name: http-for-the-world, containerPort',
    of: 'ports: [{ name: http, containerPort',
    said: /bad port name "http-for-the-world"/,
    refused: /must be no more than 15 characters/,
  },
  {
    what: 'a probe of a missing port',
    instead: 'port: htpt } }\n          resources',
    of: 'port: http } }\n          resources',
    said: /the port htpt, which does not exist/,
  },
  {
    what: 'a mount without a volume',
    instead: 'volumeMounts: [{ name: temp',
    of: 'volumeMounts: [{ name: tmp',
    said: /no volume temp/,
    refused: /volumeMounts\[0\]\.name: Not found: "temp"/,
  },
  {
    what: 'an autoscaler with a minimum above its maximum',
    instead: 'minReplicas: 5',
    of: 'minReplicas: 2',
    said: /at least 5 is more than at most 4/,
    refused: /must be greater than or equal to `minReplicas`/,
  },
  {
    what: 'an autoscaler without a target',
    instead: 'kind: Deployment, name: rihgt',
    of: 'kind: Deployment, name: right',
    said: /no Deployment rihgt/,
  },
  {
    what: 'a disruption budget without pods',
    instead: 'selector: { matchLabels: { app: rihgt } } }',
    of: 'selector: { matchLabels: { app: right } } }',
    said: /does not select exactly one workload/,
  },
  {
    what: 'an ingress to a missing service',
    instead: 'service: { name: rihgt',
    of: 'service: { name: right',
    said: /no rihgt with that port/,
  },
  {
    what: 'a bad name',
    instead: 'kind: Service\nmetadata: { name: Right }',
    of: 'kind: Service\nmetadata: { name: right }',
    said: /bad name "Right"/,
    refused: /metadata\.name: Invalid value: "Right"/,
  },
  {
    what: 'a bad label',
    instead: 'labels: { app: right, "bad key": x } }\nspec',
    of: 'labels: { app: right } }\nspec',
    said: /bad label bad key/,
    refused: /metadata\.labels: Invalid value: "bad key"/,
  },
  {
    what: 'a container that may become root',
    instead: 'allowPrivilegeEscalation: true',
    of: 'allowPrivilegeEscalation: false',
    refused: /violate PodSecurity "restricted.*allowPrivilegeEscalation != false/,
  },
]

/** All manifests with one mistake. */
export function planted({ instead, of }: Mistake): Manifest[] {
  if (RIGHT.split(of).length !== 2) throw new Error(`The manifests do not contain this exactly once: ${of}`)
  return parseManifests(RIGHT.replace(of, instead))
}

/** The object that has the mistake. */
export function mistaken(mistake: Mistake): Manifest {
  const right = parseManifests(RIGHT).map((object) => JSON.stringify(object))
  const [wrong] = planted(mistake).filter((object, at) => JSON.stringify(object) !== right[at])
  if (wrong === undefined) throw new Error(`The mistake changes nothing: ${mistake.what}.`)
  return wrong
}
