import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { databaseOwnerNames } from '@looptide/backing/database/owners'
import { repositoryRoot } from '@looptide/backing/paths'
import { type ServiceName, serviceNames } from '@looptide/backing/service-names'
import type { DatabaseConfig } from '@looptide/service-kit/settings/env'
import { beforeAll, describe, expect, it } from 'vitest'
import { environmentOf, secretKeysOf } from './environment.ts'
import { type Manifest, ofKind, workloads } from './manifest.ts'
import { renderOverlay } from './render.ts'
import { SETTINGS_READERS } from './settings-readers.ts'

/** Parts of other settings, and settings of the migration step only. */
const PARTS = /^(GATEWAY|NATS|DATABASE|REDIS)_(PASSWORD|ADDRESS|SCHEME|REPLICAS)$|^AUDIT_PSEUDONYMISE_DAYS$/

/** An environment that records which variables were read. */
function watched(env: Record<string, string>, seen: Set<string>): Record<string, string | undefined> {
  return new Proxy(env, {
    get(target, name) {
      seen.add(String(name))
      return Reflect.get(target, name)
    },
  })
}

describe.each(['local', 'production'])('the settings in the overlay %s', (overlay) => {
  let objects: Manifest[]
  let environments: Map<string, Record<string, string>>
  beforeAll(() => {
    objects = renderOverlay(overlay)
    environments = new Map(
      workloads(objects).flatMap(({ object, template }) =>
        (template.spec?.containers ?? []).map((container): [string, Record<string, string>] => [
          object.metadata.name,
          environmentOf(objects, container),
        ]),
      ),
    )
  }, 60_000)

  it.each(serviceNames)('are all that %s needs, and contain no loopback address', (name) => {
    const config: Record<string, unknown> = { ...SETTINGS_READERS[name](environments.get(name) ?? {}) }
    delete config.siteUrl
    // The domain and origins of passkeys are those of SITE_URL.
    delete config.passkeyParty
    expect(JSON.stringify(config)).not.toMatch(/127\.0\.0\.1|localhost(?!>)|undefined|\$\(/)
    expect(config.port).toBe(8080)
  })

  it('are all read by a process', () => {
    const seen = new Set<string>()
    for (const name of serviceNames) SETTINGS_READERS[name](watched(environments.get(name) ?? {}, seen))
    const given = new Set(serviceNames.flatMap((name) => Object.keys(environments.get(name) ?? {})))
    expect([...given].filter((name) => !seen.has(name) && !PARTS.test(name))).toEqual([])
  })

  it('of the migration are an administrator’s URL and every role’s password', () => {
    const env = environments.get('migrate') ?? {}
    expect(Object.keys(env)).toEqual(
      expect.arrayContaining(databaseOwnerNames.map((owner) => `DATABASE_PASSWORD_${owner.toUpperCase()}`)),
    )
    const { hostname, username } = new URL(env.DATABASE_URL ?? '')
    expect({ hostname, username }).toEqual({ hostname: 'postgres', username: env.DATABASE_ADMIN_USER })
    expect(new URL(env.NATS_URL ?? '').username).toBe('stream-admin')
    expect(env.AUDIT_PSEUDONYMISE_DAYS).toBe('365')
    expect(env.NATS_REPLICAS).toBe(overlay === 'production' ? '3' : '1')
  })

  it('give each service its own role and user only', () => {
    const roles = [...environments].flatMap(([name, env]) =>
      env.DATABASE_URL === undefined ? [] : [`${name}: ${new URL(env.DATABASE_URL).username}`],
    )
    expect(new Set(roles.map((role) => role.split(': ')[1])).size).toBe(roles.length)
    for (const name of serviceNames)
      expect(new URL(environments.get(name)?.NATS_URL ?? '').username).toBe(name)
  })
})

it.each(['local', 'production'])(
  'the operator command gets all addresses in the overlay %s',
  (overlay) => {
    const objects = renderOverlay(overlay, ['operator'])
    const operator = workloads(objects).find(({ object }) => object.metadata.name === 'operator')
    const [container] = operator?.template.spec?.containers ?? []
    const env = container === undefined ? {} : environmentOf(objects, container)
    expect(new URL(env.DATABASE_URL ?? '').hostname).toBe('postgres')
    const isEncrypted = overlay === 'production'
    expect(env).toMatchObject({
      LOOPTIDE_URL: isEncrypted ? 'https://gateway:8080' : 'http://gateway:8080',
      NATS_URL: isEncrypted ? 'tls://nats:4222' : 'nats://nats:4222',
    })
  },
  60_000,
)

it('the component malware-scanner gives its address to the services that store pictures, and to no other', () => {
  const objects = renderOverlay('production', ['malware-scanner'])
  const configured = workloads(objects).flatMap(({ object, template }) => {
    const [container] = template.spec?.containers ?? []
    const url = container === undefined ? undefined : environmentOf(objects, container).MALWARE_SCANNER_URL
    return url === undefined ? [] : [[object.metadata.name, url]]
  })
  expect(Object.fromEntries(configured)).toEqual({
    auth: 'tcp://clamav:3310',
    'admin-audit': 'tcp://clamav:3310',
  })
}, 60_000)

it('the component requests starts audience and tells the gateway; without it no pod of audience runs', () => {
  const runs = (components: readonly string[]) => {
    const objects = renderOverlay('production', components)
    const replicas = ofKind(objects, 'Deployment').find(({ metadata }) => metadata.name === 'audience')?.spec
      ?.replicas
    const gateway = workloads(objects).find(({ object }) => object.metadata.name === 'gateway')
    const [container] = gateway?.template.spec?.containers ?? []
    const env = container === undefined ? {} : environmentOf(objects, container)
    return [replicas, SETTINGS_READERS.gateway(env)]
  }
  const upstreams = { chat: 'https://chat:8080' }
  expect(runs([])).toEqual([0, expect.objectContaining({ upstreams: expect.objectContaining(upstreams) })])
  expect(runs([])[1]).not.toHaveProperty('upstreams.audience')
  expect(runs(['requests'])).toMatchObject([undefined, { upstreams: { audience: 'https://audience:8080' } }])
}, 60_000)

it('Postgres allows every possible connection, also while pods are replaced', () => {
  const objects = renderOverlay('production', ['requests'])
  const cluster = objects.find(({ kind }) => kind === 'Cluster') as Manifest & {
    spec: { postgresql: { parameters: { max_connections: string } } }
  }
  const scalers = ofKind(objects, 'HorizontalPodAutoscaler')
  const wanted = workloads(objects)
    .filter(
      ({ object }) =>
        object.kind === 'Deployment' && object.metadata.labels?.['looptide.tv/database'] === 'yes',
    )
    .map(({ object, template }) => {
      const [container] = template.spec?.containers ?? []
      const env = container === undefined ? {} : environmentOf(objects, container)
      const { databasePoolSize } = SETTINGS_READERS[object.metadata.name as ServiceName](
        env,
      ) as DatabaseConfig
      const most =
        scalers.find(({ metadata }) => metadata.name === object.metadata.name)?.spec?.maxReplicas ?? 0
      // The outbox relay has its own connection, and a new pod starts before an old one stops.
      return (most + 1) * (databasePoolSize + 1)
    })
  const reserved = 10
  const all = wanted.reduce((sum, connections) => sum + connections, reserved)
  expect(all).toBeGreaterThan(reserved)
  expect(all).toBeLessThanOrEqual(Number(cluster.spec.postgresql.parameters.max_connections))
}, 60_000)

describe('the secrets of production', () => {
  it('are those that docs/kubernetes.md lists, key by key', () => {
    const text = readFileSync(join(repositoryRoot, 'docs/kubernetes.md'), 'utf8')
    const documented = [...text.matchAll(/^\| `(looptide-[a-z-]+)` \| `(\w+)` \|/gm)].map(
      ([, secret, key]) => `${secret} ${key}`,
    )
    const folder = 'k8s/overlays/production'
    const files = ['nats/values.yaml', 'redis/values.yaml', 'postgres.yaml'].map((file) =>
      readFileSync(join(repositoryRoot, folder, file), 'utf8'),
    )
    const charted = files.flatMap((file) =>
      [...file.matchAll(/name: (looptide-[a-z-]+), key: (\w+)/g)].map(
        ([, secret, key]) => `${secret} ${key}`,
      ),
    )
    const asked = workloads(renderOverlay('production')).flatMap((one) => secretKeysOf(one))
    const wanted = [...charted, ...asked.map(({ secret, key }) => `${secret} ${key}`)]
    expect(documented.sort()).toEqual([...new Set(wanted)].sort())
  }, 60_000)

  it('are those that the local overlay creates', () => {
    const local = renderOverlay('local')
    const asked = workloads(local)
      .flatMap((one) => secretKeysOf(one))
      .filter(({ optional }) => !optional)
    const made = local
      .filter(({ kind }) => kind === 'Secret')
      .flatMap((secret) =>
        Object.keys((secret as { data?: object }).data ?? {}).map((key) => `${secret.metadata.name} ${key}`),
      )
    expect([...new Set(asked.map(({ secret, key }) => `${secret} ${key}`))].sort()).toEqual(made.sort())
  }, 60_000)
})
