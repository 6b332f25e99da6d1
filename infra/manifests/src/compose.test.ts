import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repositoryRoot } from '@looptide/backing/paths'
import { serviceNames } from '@looptide/backing/service-names'
import { ConfigError } from '@looptide/service-kit/settings/env'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { ownEventKeys } from './environment.ts'
import { SETTINGS_READERS } from './settings-readers.ts'

interface ComposeService {
  image: string
  user?: string
  environment?: Record<string, string>
  cap_drop?: string[]
  cap_add?: string[]
  security_opt?: string[]
  read_only?: boolean
  privileged?: boolean
  command?: string | string[]
}

const DEVELOPMENT_SECRET = 'dev-only-change-me'
const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8')
const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, ComposeService>
}
const all = Object.entries(services)
const isOurs = ({ image }: ComposeService): boolean => image.startsWith('looptide/')

/** A value as Compose passes it when the environment contains `settings` only. */
const interpolated = (value: string, settings: Record<string, string>): string =>
  String(value).replaceAll(
    /\$\{(\w+)(?::?-([^}]*))?\}/g,
    (_all, name: string, fallback = '') => settings[name] ?? fallback,
  )

const environmentOf = (service: ComposeService, settings: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(service.environment ?? {}).map(([name, value]) => [name, interpolated(value, settings)]),
  )

/** Faults of settings, as the reading process reports them. */
function faultsOf(readSettings: () => unknown): readonly string[] {
  try {
    readSettings()
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

/** The defaults of .env.example. */
const example = Object.fromEntries(
  [...read('.env.example').matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
)

describe('every container of docker-compose.yml', () => {
  it.each(all)(
    '%s drops all capabilities but those its image starts with, and gets no new ones',
    (_name, service) => {
      const { cap_drop, cap_add = [], security_opt, read_only, privileged } = service
      expect({ cap_drop, security_opt, read_only, privileged }).toEqual({
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        read_only: true,
        privileged: undefined,
      })
      const ofStores = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID']
      expect(isOurs(service) ? cap_add : cap_add.filter((one) => !ofStores.includes(one))).toEqual([])
    },
  )

  it('runs our own image, or one that a setting can pin by digest', () => {
    for (const [name, service] of all.filter(([, one]) => !isOurs(one))) {
      const [, variable = '', tag] = /^\$\{(\w+_IMAGE):-([\w./-]+:[\w.-]+)\}$/.exec(service.image) ?? []
      expect([name, example[variable]]).toEqual([name, tag])
    }
    const arg = /ARG (\w+_IMAGE)=(\S+)/g
    const args = [...read('infra/docker/Dockerfile').matchAll(arg)].map(([, name, tag]) => [name, tag])
    expect(args.length).toBeGreaterThan(1)
    for (const [name, tag] of args) expect([name, example[name ?? '']]).toEqual([name, tag])
  })
})

describe('a public SITE_URL', () => {
  const PUBLIC = { SITE_URL: 'https://tv.example' }
  /** The settings of .env.example with own secrets. */
  const own = {
    ...Object.fromEntries(
      Object.entries(example).map(([key, value]) => [
        key,
        value.replace(DEVELOPMENT_SECRET, 'k9-chosen-by-hand'),
      ]),
    ),
    ...ownEventKeys(),
  }

  it.each(serviceNames)('makes %s refuse the example secrets and name them', (name) => {
    const environment = environmentOf(services[name] as ComposeService, { ...example, ...PUBLIC })
    const faults = faultsOf(() => SETTINGS_READERS[name](environment))
    const named = faults.map((fault) => fault.split(' ')[0] ?? '').sort()
    // Every variable with such a secret that the process reads, such as a gateway's REDIS_URL.
    const holding = Object.keys(environment).filter((key) => environment[key]?.includes(DEVELOPMENT_SECRET))
    expect(named).toContain('INTERNAL_TOKEN')
    expect(named).toContain('NATS_URL')
    expect(named.filter((one) => !holding.includes(one))).toEqual([])
    expect(faults.join()).not.toContain(DEVELOPMENT_SECRET)
  })

  it.each(serviceNames)(
    'with own secrets starts %s, as a local one does with the example secrets',
    (name) => {
      const service = services[name] as ComposeService
      const chosen = { ...own, ...PUBLIC }
      expect(() => SETTINGS_READERS[name](environmentOf(service, chosen))).not.toThrow()
      expect(() => SETTINGS_READERS[name](environmentOf(service, example))).not.toThrow()
      expect(() => SETTINGS_READERS[name](environmentOf(service, {}))).not.toThrow()
    },
  )

  it.each(['auth', 'gateway'] as const)(
    'makes %s require mail confirmation, unless the operator turns it off',
    (name) => {
      const confirms = (chosen: Record<string, string>) =>
        SETTINGS_READERS[name](environmentOf(services[name] as ComposeService, { ...own, ...chosen }))
      expect(confirms({})).toMatchObject({ mailConfirmation: false })
      expect(confirms(PUBLIC)).toMatchObject({ mailConfirmation: true })
      expect(confirms({ ...PUBLIC, MAIL_CONFIRMATION: 'off' })).toMatchObject({ mailConfirmation: false })
    },
  )

  it('ends the migrations before their first query, and so the start of everything that waits for them', async () => {
    const environment = environmentOf(services.migrate as ComposeService, { ...example, ...PUBLIC })
    const migrating = promisify(execFile)(
      process.execPath,
      [join(repositoryRoot, 'infra/runner/src/migrate.ts')],
      {
        env: { PATH: process.env.PATH, ...environment },
      },
    )
    const { stderr } = await migrating.catch((error: unknown) => error as { stderr: string })
    expect(stderr).toMatch(/DATABASE_URL contains an example secret.*DATABASE_PASSWORD_CHAT contains/s)
    expect(stderr).not.toContain(DEVELOPMENT_SECRET)
  })

  it('is passed to every program that gets such a secret', () => {
    // The operator command and the stores do not check; Grafana is published on loopback only.
    const exempt = ['looptide', 'postgres', 'redis', 'nats', 'grafana']
    for (const [name, { environment = {} }] of all) {
      const holds = Object.values(environment).some((value) => String(value).includes(DEVELOPMENT_SECRET))
      if (holds && !exempt.includes(name))
        expect([name, environment.SITE_URL]).toEqual([name, services.auth?.environment?.SITE_URL])
    }
  })
})

it('images contain no settings, keys or backups', () => {
  const ignored = read('.dockerignore').split('\n')
  for (const pattern of [
    '**/.env',
    '**/.env.*',
    '**/*.pem',
    '**/*.key',
    '**/secrets.json',
    '**/*.backup',
    'backups',
  ])
    expect(ignored).toContain(pattern)
})
