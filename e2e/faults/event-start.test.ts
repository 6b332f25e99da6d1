import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { provisionOnce } from '@looptide/backing/nats/provision-streams'
import { EVENT_SUBSCRIPTIONS } from '@looptide/contracts/event-subscriptions'
import { bundleServices } from '@looptide/runner/bundle/bundle-services'
import { runOnce } from '@looptide/runner/processes/run-once'
import {
  programFile,
  type ServiceDefinition,
  serviceFolder,
  stationServices,
} from '@looptide/runner/processes/services'
import { eventKeyEnv } from '@looptide/testkit/event-keys'
import { startIdentity, type TestIdentity } from '@looptide/testkit/identity'
import { NatsStore } from '@looptide/testkit/nats-store'
import { freshDatabase } from '@looptide/testkit/postgres'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

/** The start of a service without its NATS streams, or with a wrong signing key. */

vi.setConfig({ testTimeout: 120_000 })
const LONG_WAIT = { timeoutMs: 60_000 }
const BUNDLED = { bundle: 'on' } as const
const chat = serviceNamed('chat')
const signing = stationServices.filter(
  ({ name }) => name in EVENT_SUBSCRIPTIONS && 'EVENT_SIGNING_KEY' in eventKeyEnv(name as 'chat'),
)

let nats: NatsStore
let database: Awaited<ReturnType<typeof freshDatabase>>
let identity: TestIdentity
let env: Record<string, string>
const children: ChildProcess[] = []

beforeAll(async () => {
  await bundleServices(AbortSignal.timeout(120_000), console.log)
  ;[nats, database, identity] = await Promise.all([NatsStore.start(), freshDatabase(), startIdentity()])
  env = {
    PATH: process.env.PATH ?? '',
    PORT: '0',
    NATS_URL: nats.url,
    DATABASE_URL: database.urlFor('chat'),
    AUTH_URL: identity.authUrl,
    INTERNAL_TOKEN: identity.internalToken,
    ...eventKeyEnv('chat'),
  }
  await runOnce({
    what: 'migrations',
    command: process.execPath,
    args: [programFile(chat, 'src/migrate.ts', BUNDLED)],
    env,
    cwd: serviceFolder(chat),
    signal: new AbortController().signal,
  })
}, 120_000)

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await identity?.stop()
  await database?.drop()
  await nats?.stop()
})

function serviceNamed(name: string): ServiceDefinition {
  const found = stationServices.find((service) => service.name === name)
  if (found === undefined) throw new Error(`the station has no service ${name}`)
  return found
}

/** Starts a service as a process and collects its output. */
function start(service: ServiceDefinition, settings: Record<string, string>) {
  const folder = serviceFolder(service)
  const program = programFile(service, 'src/main.ts', BUNDLED)
  const child = spawn(process.execPath, [program], { cwd: folder, env: settings })
  children.push(child)
  const printed = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed.text += chunk.toString()
    })
  // Once its output has been read as well.
  const exitCode = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { printed, exitCode }
}

const unknownKey = (): string => generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }).d ?? ''

test.concurrent.each(signing.map((service) => [service.name, service] as const))(
  '%s does not start with an unknown signing key, and does not print the key',
  async (name, service) => {
    const key = unknownKey()
    const { printed, exitCode } = start(service, {
      ...env,
      ...eventKeyEnv(name as 'chat'),
      EVENT_SIGNING_KEY: key,
    })
    expect(await exitCode).not.toBe(0)
    expect(printed.text).toContain('the public key of the signing key is not among the public keys')
    expect(printed.text).not.toContain(key)
  },
)

test('a service does not start with the signing key of another one', async () => {
  const { EVENT_SIGNING_KEY: key = '' } = eventKeyEnv('auth')
  const { printed, exitCode } = start(chat, { ...env, EVENT_SIGNING_KEY: key })
  expect(await exitCode).not.toBe(0)
  expect(printed.text).toContain('EVENT_SIGNING_KEY is the key of auth, not that of chat')
  expect(printed.text).not.toContain(key)
})

test('a service without its streams is not ready, names them, and is ready once they are created', async () => {
  const { printed } = start(chat, env)
  const url = await until(
    'it listens',
    () => /listening at (http:\/\/[\d.:]+)/.exec(printed.text)?.[1],
    LONG_WAIT,
  )
  const readiness = async () => {
    const response = await fetch(`${url}/readyz`)
    return { status: response.status, text: await response.text() }
  }
  const before = await until('the missing streams are named', async () => {
    const answer = await readiness()
    return answer.text.includes('missing in NATS') && answer
  })
  expect(before.status).toBe(503)
  expect(before.text).toContain('CHAT')
  expect(printed.text).toContain('event streams missing')
  await provisionOnce(nats.url)
  await until('it is ready', async () => (await readiness()).status === 200, LONG_WAIT)
})
