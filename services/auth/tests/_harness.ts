import { fileURLToPath } from 'node:url'
import type { Envelope, EventType } from '@looptide/contracts/events'
import { createDb } from '@looptide/service-kit/db/db'
import { connect } from '@looptide/service-kit/events/nats-client'
import type { RunningService } from '@looptide/service-kit/process/service-process'
import { startProcess } from '@looptide/service-kit/process/start-process'
import { createLogger, type Logger } from '@looptide/service-kit/telemetry/logger'
import type { Backing } from '@looptide/testkit/backing'
import { bearerOf } from '@looptide/testkit/client'
import { eventKeyEnv } from '@looptide/testkit/event-keys'
import { startNats } from '@looptide/testkit/nats'
import { freshDatabase, type ServiceTables } from '@looptide/testkit/postgres'
import { withoutTasks } from '@looptide/testkit/without-tasks'
import { verify } from '@node-rs/argon2'
import type { Kysely } from 'kysely'
import { authService } from '../src/app.ts'
import { type AuthConfig, loadConfig } from '../src/config.ts'
import { PasswordHasher } from '../src/crypto/password-hasher.ts'
import { Vault } from '../src/crypto/vault.ts'
import type { Database } from '../src/db/schema.ts'
import { KeptRestrictions } from '../src/features/registration/kept-restrictions.ts'
import { Housekeeping } from '../src/housekeeping.ts'
import { GuardStub } from './_guard-stub.ts'
import { MailSink } from './_mail-sink.ts'

/** The real time plus what a test added. */
class TestClock {
  #aheadMs = 0
  #stoppedMs: number | undefined
  readonly now = (): number => (this.#stoppedMs ?? Date.now()) + this.#aheadMs
  advance(ms: number): void {
    this.#aheadMs += ms
  }
  /** From now on the clock changes only by `advance`, however long the requests of a test take. */
  stop(): void {
    this.#stoppedMs = Date.now()
  }
}

export const SITE = 'http://localhost:8080'
const INTERNAL_TOKEN = 'an internal token for tests, long enough'

interface EventRecorder<T extends EventType> {
  received(): Envelope<T>[]
  /** All that was published before the call. */
  settled(): Promise<Envelope<T>[]>
  stop(): Promise<void>
}

async function listen<T extends EventType>(natsUrl: string, type: T): Promise<EventRecorder<T>> {
  const connection = await connect({ servers: new URL(natsUrl).host })
  const events: Envelope<T>[] = []
  connection.subscribe(type, {
    callback: (_error, message) => void events.push(message.json<Envelope<T>>()),
  })
  await connection.flush()
  return {
    received: () => events,
    // The server answers after the events that it has for this connection.
    settled: () => connection.flush().then(() => events),
    stop: () => connection.close(),
  }
}

export interface TestAuth {
  service: RunningService
  db: Kysely<Database>
  logger: Logger
  config: AuthConfig
  clock: TestClock
  /** Deletes everything that has expired, one pass per `run`. */
  housekeeping: Housekeeping
  sink: MailSink
  guard: GuardStub
  nats: Backing
  /** `http://…/auth/v1` */
  url: string
  /** Records the events of one type that are published from now on. */
  listen<T extends EventType>(type: T): Promise<EventRecorder<T>>
  /** A second process on the same database. */
  startReplica(): Promise<RunningService>
  /** Stops the service and starts it with other settings on the same data. `url` changes. */
  restart(env: Record<string, string>): Promise<void>
  stop(): Promise<void>
}

/** The housekeeping of a process with the secrets of this vault. */
export const housekeepingOf = (
  { config, db, logger, clock }: Pick<TestAuth, 'config' | 'db' | 'logger' | 'clock'>,
  vault: Vault,
): Housekeeping =>
  new Housekeeping({
    db,
    logger,
    vault,
    keptRestrictions: new KeptRestrictions(vault),
    unconfirmedAccountDays: config.unconfirmedAccountDays,
    anonymousAccountDays: config.anonymousAccountDays,
    now: clock.now,
  })

/** Hashes at the lowest cost that argon2 knows: most time of these tests would be hashing. */
const cheapHasher = (): PasswordHasher => new PasswordHasher(2, verify, { memoryCost: 8, timeCost: 1 })

/** Dependencies of `ensureAdmin`, without a service for breached passwords. */
export const adminDeps = ({ db }: Pick<TestAuth, 'db'>) => ({
  db,
  hasher: cheapHasher(),
  breached: { include: async () => false },
})

const tables: ServiceTables = {
  owner: 'auth',
  migrations: fileURLToPath(new URL('../src/db/migrations', import.meta.url)),
}

/** Settings that no test's backing changes. */
const FIXED_SETTINGS = {
  INTERNAL_TOKEN,
  ...eventKeyEnv('auth'),
  AUTH_KEY_SECRET: 'a secret for tests, long enough to pass',
  SITE_URL: SITE,
  MAIL_CONFIRMATION: 'off',
  RATE_LIMIT_FACTOR: '100000',
  LOG_LEVEL: 'silent',
  PORT: '0',
}

/**
 * Starts the service on real Postgres, NATS and SMTP. Rate limits are off unless `env` sets the factor. Tests of the time
 * that hashing takes give the hasher of the real service.
 */
export async function startAuth(
  env: Record<string, string> = {},
  postgres?: Backing,
  hasher = cheapHasher(),
): Promise<TestAuth> {
  const [database, nats] = await Promise.all([freshDatabase(postgres?.url, tables), startNats()])
  const sink = new MailSink()
  const clock = new TestClock()
  const guard = new GuardStub()
  const settings = {
    ...FIXED_SETTINGS,
    DATABASE_URL: database.urlFor('auth'),
    NATS_URL: nats.url,
    SMTP_URL: await sink.start(),
    ADMIN_AUDIT_URL: await guard.start(),
    ...env,
  }
  const config = loadConfig(settings)
  const logger = createLogger('test', 'silent')
  const db = createDb<Database>(config.databaseUrl, logger, 4, { statementMs: null })
  const started: RunningService[] = []
  const start = async (withConfig = config): Promise<RunningService> => {
    const service = await startProcess(withoutTasks(authService(withConfig, clock.now, hasher)))
    started.push(service)
    return service
  }
  const service = await start()
  const auth: TestAuth = {
    service,
    db,
    logger,
    config,
    clock,
    housekeeping: housekeepingOf({ config, db, logger, clock }, new Vault(config.keySecret)),
    sink,
    guard,
    nats,
    url: `${service.url}/auth/v1`,
    listen: (type) => listen(nats.url, type),
    startReplica: () => start(),
    restart: async (changed) => {
      await auth.service.close()
      started.splice(started.indexOf(auth.service), 1)
      auth.service = await start(loadConfig({ ...settings, ...changed }))
      auth.url = `${auth.service.url}/auth/v1`
    },
    stop: async () => {
      for (const running of started) await running.close()
      await db.destroy()
      await sink.stop()
      await guard.stop()
      await nats.stop()
      await database.drop()
    },
  }
  return auth
}

/** A parsed body of unknown shape. */
export type Json = ReturnType<typeof JSON.parse>

export interface Answer {
  status: number
  headers: Headers
  body: Json
}

export const VERSION = { 'x-supabase-api-version': '2024-01-01' }

/** Sends a request with a JSON body; `body: undefined` sends none. */
export async function call(
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = VERSION,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(method === 'GET' ? {} : { 'content-type': 'application/json;charset=UTF-8' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}

let emails = 0
/** An email without an account. */
export const newEmail = (): string => {
  emails += 1
  return `person${emails}@example.test`
}

export const PASSWORD = 'correct horse battery'

export interface TestSession {
  email: string
  access_token: string
  refresh_token: string
  user: { id: string }
  headers: { authorization: string }
}

/** Signs a new user up. Confirmation must be off. */
export async function signUp(auth: Pick<TestAuth, 'url'>, email = newEmail()): Promise<TestSession> {
  const { status, body } = await call(`${auth.url}/signup`, 'POST', { email, password: PASSWORD })
  if (status !== 200) throw new Error(`sign-up: ${status} ${JSON.stringify(body)}`)
  return { ...body, email, headers: bearerOf(body.access_token) }
}
