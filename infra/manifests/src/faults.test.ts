import { beforeAll, describe, expect, it } from 'vitest'
import { ruleFaults, schemaFaults } from './faults.ts'
import { type Fault, type Manifest, nameOf } from './manifest.ts'
import { parseManifests, renderOverlay } from './render.ts'

// Compiling waits for its turn on a busy machine.
const PATIENCE_MS = 60_000

describe('what the overlays render', () => {
  it.each([
    ['local', []],
    ['production', []],
    ['local', ['operator']],
    ['production', ['keda', 'operator']],
  ])(
    'is what the API takes: %s %j',
    async (overlay, components) => {
      const objects = renderOverlay(overlay, components)
      expect([...(await schemaFaults(objects)), ...ruleFaults(objects)]).toEqual([])
    },
    PATIENCE_MS,
  )
})

const RIGHT = `apiVersion: apps/v1
kind: Deployment
metadata: { name: right, labels: { app: right } }
spec:
  selector: { matchLabels: { app: right } }
  template:
    metadata: { labels: { app: right } }
    spec:
      containers:
        - name: right
          image: right
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

/** What is wrong, how it comes into the manifests above, and what is said of it. */
const MISTAKES: [mistake: string, instead: string, of: string, said: RegExp][] = [
  [
    'an unknown field',
    'selector: { matchLabels: { app: right } }\n  replicaz: 2\n  template',
    'selector: { matchLabels: { app: right } }\n  template',
    /replicaz.* does not exist/,
  ],
  [
    'an unknown field deep below',
    'readinessProbe: { periodSecond: 1, httpGet',
    'readinessProbe: { httpGet',
    /periodSecond.* does not exist/,
  ],
  [
    'a wrong type',
    'containerPort: "8080"',
    'containerPort: 8080',
    /'string' is not assignable to type 'number'/,
  ],
  ['a fraction where whole numbers are', 'containerPort: 80.5', 'containerPort: 8080', /integer|int32/i],
  [
    'a missing field',
    'containers:\n        - image: right',
    'containers:\n        - name: right\n          image: right',
    /name.* is missing/,
  ],
  [
    'a word that is none of the allowed',
    'pathType: Prefixed',
    'pathType: Prefix',
    /"Prefixed"' is not assignable|"Prefixed" is not assignable/,
  ],
  [
    'a version that is gone',
    'apiVersion: autoscaling/v2beta2',
    'apiVersion: autoscaling/v2',
    /autoscaling\/v2beta2 is no version to stay/,
  ],
  ['a kind that never was', 'kind: Scheduledbackup', 'kind: ScheduledBackup', /Scheduledbackup/],
  ['an unknown field of a custom resource', 'schedul: x, schedule', 'schedule', /"schedul".* does not exist/],
  [
    'an unknown field of an object store',
    'destinationPath: "s3://right", bucket: x',
    'destinationPath: "s3://right"',
    /"bucket".* does not exist/,
  ],
  ['a retention that is no time', 'retentionPolicy: 30 days', 'retentionPolicy: 30d', /30 days/],
  [
    'a missing field of a custom resource',
    'triggers: [{ type: redis }]',
    'triggers: [{ type: redis, metadata: { listName: right } }]',
    /metadata.* is missing/,
  ],
  ['a bad quantity', 'memory: 1Gb }, limits', 'memory: 1Gi }, limits', /"1Gb" is no quantity/],
  ['a bad size', 'sizeLimit: 1 Mi', 'sizeLimit: 1Mi', /"1 Mi" is no quantity/],
  ['a request above its limit', 'requests: { cpu: 1500m', 'requests: { cpu: 50m', /more cpu than its limit/],
  [
    'a selector that misses its pods',
    'metadata: { labels: { app: rihgt } }',
    'metadata: { labels: { app: right } }',
    /does not find its own pods/,
  ],
  [
    'a service in front of nothing',
    'selector: { app: rihgt }',
    'selector: { app: right }',
    /nothing stands behind it/,
  ],
  ['a target port that is not there', 'targetPort: htpt', 'targetPort: http', /no port htpt/],
  [
    'a port name that is too long',
    'ports: [{ name: http-for-the-world, containerPort',
    'ports: [{ name: http, containerPort',
    /bad port name "http-for-the-world"/,
  ],
  [
    'a probe of a port that is not there',
    'port: htpt } }\n          resources',
    'port: http } }\n          resources',
    /the port htpt, which is not there/,
  ],
  ['a mount without a volume', 'volumeMounts: [{ name: temp', 'volumeMounts: [{ name: tmp', /no volume temp/],
  [
    'an autoscaler with more at least than at most',
    'minReplicas: 5',
    'minReplicas: 2',
    /at least 5 is more than at most 4/,
  ],
  [
    'an autoscaler of nothing',
    'kind: Deployment, name: rihgt',
    'kind: Deployment, name: right',
    /no Deployment rihgt/,
  ],
  [
    'a budget of nothing',
    'selector: { matchLabels: { app: rihgt } } }',
    'selector: { matchLabels: { app: right } } }',
    /not the budget of one workload/,
  ],
  ['a way in to nothing', 'service: { name: rihgt', 'service: { name: right', /no rihgt with that port/],
  [
    'a bad name',
    'kind: Service\nmetadata: { name: Right }',
    'kind: Service\nmetadata: { name: right }',
    /bad name "Right"/,
  ],
  [
    'a bad label',
    'labels: { app: right, "bad key": x } }\nspec',
    'labels: { app: right } }\nspec',
    /bad label bad key/,
  ],
]

/** The manifests with one mistake, in a namespace of their own. */
function planted(at: number): Manifest[] {
  const [, instead = '', of = ''] = MISTAKES[at] ?? []
  expect(RIGHT.split(of), of).toHaveLength(2)
  const objects = parseManifests(RIGHT.replace(of, instead))
  return objects.map((object) => ({
    ...object,
    metadata: { ...object.metadata, namespace: `mistake-${at}` },
  }))
}

describe('a mistake is found', () => {
  const variants = MISTAKES.map((_mistake, at) => planted(at))
  let schema: Fault[]
  beforeAll(async () => {
    schema = await schemaFaults([...parseManifests(RIGHT), ...variants.flat()])
  }, PATIENCE_MS)

  it('and nothing is found where there is none', () => {
    const right = parseManifests(RIGHT)
    const names = right.map(nameOf)
    expect(schema.filter(({ object }) => names.includes(object))).toEqual([])
    expect(ruleFaults(right)).toEqual([])
  })

  it.each(MISTAKES.map(([mistake, , , said], at) => ({ mistake, said, at })))('$mistake', ({ said, at }) => {
    const variant = variants[at] ?? []
    const mine = schema.filter(({ object }) => object.includes(` mistake-${at}/`))
    expect([...mine, ...ruleFaults(variant)].map(({ what }) => what).join('\n')).toMatch(said)
  })

  it('and two objects of one name', () => {
    const [first] = parseManifests(RIGHT)
    expect(JSON.stringify(ruleFaults(first === undefined ? [] : [first, first]))).toContain(
      'stands here twice',
    )
  })

  it('and a key that stands twice', () => {
    expect(() => parseManifests('kind: Service\nkind: Secret\n')).toThrow('unique')
  })
})
