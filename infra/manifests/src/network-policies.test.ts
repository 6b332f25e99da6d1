import { beforeAll, describe, expect, it } from 'vitest'
import { type Connection, documentedConnections } from './connections.ts'
import { type Manifest, ofKind, workloads } from './manifest.ts'
import { mayReach, type Party, selects } from './reach.ts'
import { renderOverlay } from './render.ts'

/** All ports in use, and a few unused ones. */
const PORTS = [
  22, 80, 443, 465, 587, 1025, 1080, 3310, 4222, 4318, 5432, 6222, 6379, 8000, 8080, 8222, 9090, 26_379,
]

const strangers = (label: string): Party => ({
  kind: 'stranger',
  namespaceLabels: { [label]: 'yes' },
  labels: {},
})
const store = (name: string): Party => ({ kind: 'pod', labels: { 'looptide.tv/store': name } })

/** All parties, including those of charts. Outside: a mail server of the company, YouTube, and a provider. */
function parties(objects: readonly Manifest[]): Map<string, Party> {
  const pods = workloads(objects).map(({ object, labels }): [string, Party] => [
    object.metadata.name,
    { kind: 'pod', labels },
  ])
  return new Map<string, Party>([
    ['postgres', store('postgres')],
    ['redis', store('redis')],
    ['nats', store('nats')],
    ['ingress', strangers('looptide.tv/ingress')],
    ['monitoring', strangers('looptide.tv/monitoring')],
    ['neighbour', { kind: 'stranger', namespaceLabels: {}, labels: { 'app.kubernetes.io/name': 'gateway' } }],
    ['mail', { kind: 'address', ip: '10.1.2.3' }],
    ['YouTube', { kind: 'address', ip: '142.250.1.1' }],
    ['OpenID providers', { kind: 'address', ip: '142.250.1.2' }],
    ['webhook receivers', { kind: 'address', ip: '142.250.1.3' }],
    ['push services', { kind: 'address', ip: '142.250.1.4' }],
    ...pods,
  ])
}

/** Every connection from or to our pods that the policies of an overlay allow. */
function allowedConnections(objects: readonly Manifest[]): Connection[] {
  const policies = ofKind(objects, 'NetworkPolicy')
  const all = [...parties(objects)]
  const isOurs = ({ kind }: Party) => kind === 'pod'
  return all.flatMap(([from, source]) =>
    all
      .filter(([, target]) => isOurs(source) || isOurs(target))
      .flatMap(([to, target]) =>
        PORTS.filter((port) => mayReach(policies, source, target, port)).map(
          (port): Connection => `${from} → ${to}:${port}`,
        ),
      ),
  )
}

/** Connections to any public address at a port include all outside parties. */
const alsoOutside: Connection[] = [
  'auth → YouTube:443',
  'auth → YouTube:465',
  'auth → YouTube:587',
  'auth → OpenID providers:465',
  'auth → OpenID providers:587',
  'auth → webhook receivers:443',
  'auth → webhook receivers:465',
  'auth → webhook receivers:587',
  'auth → push services:443',
  'auth → push services:465',
  'auth → push services:587',
  'metadata-worker → push services:443',
  'admin-audit → push services:443',
  'audience → YouTube:443',
  'audience → OpenID providers:443',
  'audience → webhook receivers:443',
  'metadata-worker → OpenID providers:443',
  'metadata-worker → webhook receivers:443',
  'admin-audit → YouTube:443',
  'admin-audit → OpenID providers:443',
]

const sorted = (connections: readonly Connection[]): Connection[] => [...new Set(connections)].sort()

describe('the network policies', () => {
  let production: Manifest[]
  let local: Manifest[]
  beforeAll(() => {
    production = renderOverlay('production')
    local = renderOverlay('local')
  }, 60_000)

  /** The connections that a component adds to the overlay production. */
  const connectionsAddedBy = (component: string): Connection[] => {
    const without = new Set(allowedConnections(production))
    const all = allowedConnections(renderOverlay('production', [component]))
    return sorted(all.filter((connection) => !without.has(connection)))
  }

  it('allow the connections of ARCHITECTURE.md, those within a store, and nothing else', () => {
    const amongStores: Connection[] = [
      'postgres → postgres:5432',
      'postgres → postgres:8000',
      'redis → redis:6379',
      'redis → redis:26379',
      'nats → nats:6222',
    ]
    // Postgres reports its state to the API server and writes its backups.
    const toBackups: Connection[] = [
      'postgres → mail:443',
      'postgres → YouTube:443',
      'postgres → OpenID providers:443',
      'postgres → webhook receivers:443',
      'postgres → push services:443',
    ]
    expect(sorted(allowedConnections(production))).toEqual(
      sorted([...documentedConnections(), ...alsoOutside, ...amongStores, ...toBackups]),
    )
  })

  it('are the same in the local overlay, except for open ingress and caught mail', () => {
    const all: Connection[] = [
      ...['neighbour', 'monitoring', 'mail', 'YouTube', 'OpenID providers', 'webhook receivers'],
      'push services',
    ].map((name): Connection => `${name} → gateway:8080`)
    expect(sorted(allowedConnections(local))).toEqual(
      sorted([...documentedConnections(), ...alsoOutside, ...all, 'auth → maildev:1025']),
    )
  })

  it('let the operator command reach gateway, database and NATS, and change nothing else', () => {
    const operator: Connection[] = [
      'operator → gateway:8080',
      'operator → postgres:5432',
      'operator → nats:4222',
    ]
    expect(connectionsAddedBy('operator')).toEqual(sorted(operator))
  })

  it('let only the services that store pictures reach the malware scanner, which reaches the internet', () => {
    expect(connectionsAddedBy('malware-scanner')).toEqual(
      sorted([
        'auth → clamav:3310',
        'admin-audit → clamav:3310',
        'clamav → YouTube:443',
        'clamav → OpenID providers:443',
        'clamav → webhook receivers:443',
        'clamav → push services:443',
      ]),
    )
  })

  it('each select at least one pod', () => {
    const charted = ['postgres', 'redis', 'nats'].map((name) => ({ 'looptide.tv/store': name }))
    const labels = [
      ...workloads(production).map((pod) => pod.labels),
      ...charted,
      { 'cnpg.io/jobRole': 'initdb' },
    ]
    const idle = ofKind(production, 'NetworkPolicy').filter(
      ({ spec }) => !labels.some((own) => selects(spec?.podSelector, own as Record<string, string>)),
    )
    expect(idle.map(({ metadata }) => metadata.name)).toEqual([])
  })
})
