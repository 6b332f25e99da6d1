import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '@looptide/backing/paths'
import { serviceNames } from '@looptide/backing/service-names'
import type { IContainer } from 'kubernetes-models/v1/Container'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { ICertificate } from './certificate.ts'
import { environmentOf } from './environment.ts'
import { type Manifest, ofKind, type Workload, workloads } from './manifest.ts'
import { renderOverlay } from './render.ts'
import { SETTINGS_READERS } from './settings-readers.ts'

const TLS_FOLDER = '/etc/looptide/tls'

const containerOf = ({ template }: Workload): IContainer => {
  const [container] = template.spec?.containers ?? []
  if (container === undefined) throw new Error('The pod has no container.')
  return container
}

const chartValues = (store: string): unknown =>
  parse(readFileSync(join(repositoryRoot, `k8s/overlays/production/${store}/values.yaml`), 'utf8'))

describe('every connection between pods of the production overlay is encrypted', () => {
  let objects: Manifest[]
  let all: Workload[]
  let certificates: ICertificate[]
  beforeAll(() => {
    objects = renderOverlay('production', ['operator'])
    all = workloads(objects)
    certificates = objects.filter(({ kind }) => kind === 'Certificate') as unknown as ICertificate[]
  }, 60_000)

  const namesOf = (name: string): string[] | undefined =>
    certificates.find(({ metadata }) => metadata.name === name)?.spec.dnsNames

  it('every pod has the certificate of its own name, and no other key', () => {
    expect(all.map(({ object }) => object.metadata.name).sort()).toEqual(
      [...serviceNames, 'migrate', 'operator'].sort(),
    )
    for (const one of all) {
      const { name } = one.object.metadata
      const secrets = (one.template.spec?.volumes ?? []).flatMap(({ secret }) => secret?.secretName ?? [])
      expect(secrets.filter((secret) => secret.endsWith('-tls'))).toEqual([`${name}-tls`])
      expect(containerOf(one).volumeMounts).toContainEqual({
        name: 'tls',
        mountPath: TLS_FOLDER,
        readOnly: true,
      })
      expect(namesOf(name)).toContain(name)
    }
  })

  it('every process serves with it, and demands TLS of all that it connects to', () => {
    for (const one of all) {
      const env = environmentOf(objects, containerOf(one))
      expect(env).toMatchObject({
        INTERNAL_TLS_CERT: `${TLS_FOLDER}/tls.crt`,
        INTERNAL_TLS_KEY: `${TLS_FOLDER}/tls.key`,
        INTERNAL_TLS_CA: `${TLS_FOLDER}/ca.crt`,
      })
      const urls = Object.entries(env).filter(([name]) => name.endsWith('_URL'))
      expect(urls.length).toBeGreaterThan(0)
      for (const [name, url] of urls)
        expect(url, name).toMatch(/^(https|tls|rediss\+sentinel|postgres|smtp):/)
      if (env.DATABASE_URL !== undefined) expect(env.DATABASE_URL).toContain('sslmode=verify-full')
    }
  })

  it('a process with a certificate does not start with a plain URL', () => {
    const [chat] = all.filter(({ object }) => object.metadata.name === 'chat')
    const env = chat === undefined ? {} : environmentOf(objects, containerOf(chat))
    for (const name of ['AUTH_URL', 'NATS_URL'])
      expect(() => SETTINGS_READERS.chat({ ...env, [name]: 'http://plain:8080' })).toThrow(
        `${name} must use TLS`,
      )
  })

  it('every certificate has the name that clients connect to', () => {
    const env = all.map((one) => environmentOf(objects, containerOf(one)))
    const hosts = env.flatMap((variables) =>
      Object.entries(variables).flatMap(([name, url]) =>
        /_URL$/.test(name) && /^(https|tls|rediss)/.test(url) ? new URL(url).hostname : [],
      ),
    )
    const outside = ['looptide.example', 'api.pwnedpasswords.com']
    const inside = [...new Set(hosts)].filter((host) => !outside.includes(host))
    expect(inside).toEqual(expect.arrayContaining(['auth', 'nats', 'redis-ha', 'gateway']))
    for (const host of inside) expect(namesOf(host), host).toContain(host)
  })

  it('probes and metrics use HTTPS', () => {
    for (const { object, template } of all) {
      if (!serviceNames.some((name) => name === object.metadata.name)) continue
      const [container] = template.spec?.containers ?? []
      for (const probe of [container?.startupProbe, container?.readinessProbe, container?.livenessProbe])
        expect(probe?.httpGet?.scheme).toBe('HTTPS')
      expect(template.metadata?.annotations).toMatchObject({ 'prometheus.io/scheme': 'https' })
    }
  })

  it('the ingress speaks TLS to the gateway, and verifies its certificate', () => {
    const [ingress] = ofKind(objects, 'Ingress')
    expect(ingress?.metadata.annotations).toMatchObject({
      'nginx.org/ssl-services': 'gateway',
      'nginx.ingress.kubernetes.io/backend-protocol': 'HTTPS',
      'nginx.ingress.kubernetes.io/proxy-ssl-secret': 'looptide/gateway-tls',
      'nginx.ingress.kubernetes.io/proxy-ssl-verify': 'on',
      'nginx.ingress.kubernetes.io/proxy-ssl-name': 'gateway',
    })
  })

  it('Redis and its sentinels have no plain port', () => {
    expect(chartValues('redis')).toMatchObject({
      tls: { secretName: 'redis-ha-tls', caCertFile: 'ca.crt' },
      redis: { port: 0, tlsPort: 6379, tlsReplication: true },
      sentinel: { port: 0, tlsPort: 26379, tlsReplication: true },
    })
  })

  it('NATS demands certificates of clients and of its other servers', () => {
    const tls = { enabled: true, secretName: 'nats-tls', merge: { verify: true } }
    expect(chartValues('nats')).toMatchObject({
      tlsCA: { enabled: true, secretName: 'nats-tls' },
      config: { nats: { tls }, cluster: { tls } },
    })
    expect(namesOf('nats')).toEqual(expect.arrayContaining(['nats-0.nats-headless', 'nats-2.nats-headless']))
  })
})
