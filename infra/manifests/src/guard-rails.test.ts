import { serviceNames } from '@looptide/backing/service-names'
import type { IContainer } from 'kubernetes-models/v1/Container'
import { beforeAll, describe, expect, it } from 'vitest'
import { hasLabels, type Manifest, ofKind, type Workload, workloads } from './manifest.ts'
import { selects } from './reach.ts'
import { renderOverlay } from './render.ts'

const nameOf = ({ object }: Workload): string => object.metadata.name
const containersOf = ({ template }: Workload): IContainer[] => template.spec?.containers ?? []
const noteOf = ({ object }: Workload, note: string): string | undefined =>
  object.metadata.annotations?.[`looptide.tv/${note}`]
const isJob = ({ object }: Workload): boolean => object.kind === 'Job'

describe.each([
  ['local', []],
  ['production', []],
  ['production', ['operator', 'malware-scanner', 'requests']],
])('in the overlay %s %j', (overlay, components) => {
  let objects: Manifest[]
  let all: Workload[]
  /** Workloads with replicas: everything but jobs, stores and workloads that state why there is one of them. */
  let processes: Workload[]
  beforeAll(() => {
    objects = renderOverlay(overlay, components)
    all = workloads(objects)
    processes = all.filter((one) => one.object.kind === 'Deployment' && noteOf(one, 'single') === undefined)
  }, 60_000)

  /** Names of the objects for which the check fails. */
  const without = (ones: readonly Workload[], check: (one: Workload) => boolean) =>
    ones.filter((one) => !check(one)).map(nameOf)

  it('every process of the station runs', () => {
    expect(processes.map(nameOf).sort()).toEqual([...serviceNames].sort())
    expect(all.map(nameOf)).toContain('migrate')
  })

  it('every container that serves has start-up, liveness and readiness probes', () => {
    const isAsked = (one: Workload) =>
      containersOf(one).every(
        ({ ports, startupProbe, livenessProbe, readinessProbe }) =>
          ports === undefined ||
          [startupProbe, livenessProbe, readinessProbe].every((probe) => probe !== undefined),
      )
    expect(without(all, isAsked)).toEqual([])
    expect(without(processes, (one) => containersOf(one).every(({ ports }) => ports !== undefined))).toEqual(
      [],
    )
  })

  it('every container has requests and limits of processor and memory', () => {
    const isBounded = (one: Workload) =>
      containersOf(one).every(({ resources }) =>
        [resources?.requests, resources?.limits].every(
          (side) => side?.cpu !== undefined && side.memory !== undefined,
        ),
      )
    expect(without(all, isBounded)).toEqual([])
  })

  it('every pod keeps to the Pod Security Standard "restricted", on a read-only root and without a token', () => {
    const isRestricted = (one: Workload) => {
      const { securityContext: pod, ...spec } = one.template.spec ?? { containers: [] }
      const plain = [spec.hostNetwork, spec.hostPID, spec.hostIPC].every((host) => host !== true)
      const volumes = (spec.volumes ?? []).every((volume) => volume.hostPath === undefined)
      const user =
        pod?.runAsNonRoot === true &&
        (pod.runAsUser ?? 0) > 0 &&
        pod.seccompProfile?.type === 'RuntimeDefault'
      const containers = containersOf(one).every(
        ({ securityContext: own }) =>
          own?.allowPrivilegeEscalation === false &&
          own.readOnlyRootFilesystem === true &&
          own.capabilities?.drop?.includes('ALL') === true &&
          own.capabilities.add === undefined &&
          own.privileged !== true &&
          own.runAsUser !== 0,
      )
      const tokenless = spec.automountServiceAccountToken === false && spec.enableServiceLinks === false
      return plain && volumes && user && containers && tokenless
    }
    expect(without(all, isRestricted)).toEqual([])
    const [namespace] = objects.filter(({ kind }) => kind === 'Namespace')
    expect(namespace?.metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' })
  })

  it('every process has a disruption budget, is spread, and is replaced without a gap', () => {
    const budgets = ofKind(objects, 'PodDisruptionBudget')
    expect(
      without(processes, (one) => budgets.some(({ spec }) => selects(spec?.selector, one.labels))),
    ).toEqual([])
    const keys = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone']
    expect(
      without(processes, ({ template }) =>
        keys.every((key) =>
          template.spec?.topologySpreadConstraints?.some((spread) => spread.topologyKey === key),
        ),
      ),
    ).toEqual([])
    const rolling = ofKind(objects, 'Deployment').filter(({ metadata }) =>
      processes.some((one) => nameOf(one) === metadata.name),
    )
    for (const { metadata, spec } of rolling) {
      // A viewer that leaves one gateway must not meet another one that stops.
      const maxSurge = metadata.name === 'gateway' ? '100%' : 1
      expect(spec?.strategy?.rollingUpdate, metadata.name).toEqual({ maxUnavailable: 0, maxSurge })
    }
  })

  it('every process has a longer grace period than its shutdown takes', () => {
    // The sum of the deadlines in service-process.ts and gateway.ts, and the pause before it.
    const longestS = 35
    expect(
      without(processes, (one) => {
        const pauses = containersOf(one).map(({ lifecycle }) => lifecycle?.preStop?.sleep?.seconds ?? 0)
        const pause = Math.max(...pauses)
        return pause > 0 && (one.template.spec?.terminationGracePeriodSeconds ?? 30) >= pause + longestS
      }),
    ).toEqual([])
  })

  it('every pod is under a network policy of both directions', () => {
    const policies = ofKind(objects, 'NetworkPolicy')
    expect(
      without(all, (one) =>
        (['Ingress', 'Egress'] as const).every((direction) =>
          policies.some(
            ({ spec }) => spec?.policyTypes?.includes(direction) && selects(spec.podSelector, one.labels),
          ),
        ),
      ),
    ).toEqual([])
  })

  it('no image has the tag latest', () => {
    // An operator's overlay sets the version of a component's image.
    const named = overlay === 'local' ? /^[a-z./-]+(:[\w.-]+)?$/ : /^[a-z./-]+:\d[\w.-]*$/
    const own = all.filter((one) => noteOf(one, 'single') === undefined)
    for (const one of own) for (const { image } of containersOf(one)) expect(image).toMatch(named)
    for (const one of all) for (const { image } of containersOf(one)) expect(image).not.toMatch(/:latest$/)
  })
})

describe('in production', () => {
  let objects: Manifest[]
  beforeAll(() => {
    objects = renderOverlay('production', ['requests'])
  }, 60_000)

  it('every process scales with its load, or states why not', () => {
    const scalers = ofKind(objects, 'HorizontalPodAutoscaler').map(({ spec }) => spec?.scaleTargetRef.name)
    const unscaled = workloads(objects).filter((one) => !isJob(one) && !scalers.includes(nameOf(one)))
    expect(unscaled.map(nameOf)).toEqual(['metadata-worker'])
    for (const one of unscaled) expect(noteOf(one, 'unscaled')?.length).toBeGreaterThan(40)
  })

  it('the gateway scales with processor and sockets', () => {
    const gateway = ofKind(objects, 'HorizontalPodAutoscaler').find(
      ({ metadata }) => metadata.name === 'gateway',
    )
    const metrics = (gateway?.spec?.metrics ?? []).map(
      (metric) => metric.resource?.name ?? metric.pods?.metric.name,
    )
    expect(metrics).toEqual(['cpu', 'looptide_sockets'])
  })

  it('the worker scales with its queue under KEDA, which alone sets its replicas', () => {
    const scaled = renderOverlay('production', ['keda'])
    expect(scaled.filter(({ kind }) => kind === 'ScaledObject')).toHaveLength(1)
    const worker = ofKind(scaled, 'Deployment').find(({ metadata }) => metadata.name === 'metadata-worker')
    expect(worker?.spec).not.toHaveProperty('replicas')
  })

  it('no manifest contains the value of a secret', () => {
    expect(objects.filter(({ kind }) => kind === 'Secret')).toEqual([])
    expect(JSON.stringify(objects)).not.toContain('change-me')
  })

  it('the ingress neither buffers nor cuts sockets, and requires TLS', () => {
    const [ingress] = ofKind(objects, 'Ingress')
    expect(ingress?.metadata.annotations).toMatchObject({
      'nginx.org/websocket-services': 'gateway',
      'nginx.org/proxy-buffering': 'False',
      'nginx.org/proxy-read-timeout': '3600s',
    })
    expect(ingress?.spec?.tls?.[0]?.hosts).toEqual(ingress?.spec?.rules?.map(({ host }) => host))
  })

  it('every client of Postgres verifies its certificate', () => {
    const speakers = workloads(objects).filter(({ labels }) =>
      hasLabels(labels, { 'looptide.tv/database': 'yes' }),
    )
    expect(speakers).toHaveLength(7)
    for (const one of speakers) {
      const [container] = containersOf(one)
      expect(container?.volumeMounts).toContainEqual({
        name: 'postgres-ca',
        mountPath: '/etc/looptide/postgres',
        readOnly: true,
      })
    }
  })
})
