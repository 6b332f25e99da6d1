import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Envelope, EventData, EventType } from '@looptide/contracts/events'
import type { ChatMessage, ChatPage } from '@looptide/contracts/http/chat'
import { createDb } from '@looptide/service-kit/db/db'
import { newId } from '@looptide/service-kit/db/ids'
import { connectNats } from '@looptide/service-kit/events/nats'
import type { NatsConnection } from '@looptide/service-kit/events/nats-client'
import type { RunningService } from '@looptide/service-kit/process/service-process'
import { startProcess } from '@looptide/service-kit/process/start-process'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import type { Backing } from '@looptide/testkit/backing'
import { eventKeyEnv, storeEvent } from '@looptide/testkit/event-keys'
import { startIdentity, type TestIdentity, type TestUser } from '@looptide/testkit/identity'
import { startNats } from '@looptide/testkit/nats'
import { freshDatabase, type ServiceTables } from '@looptide/testkit/postgres'
import { withoutTasks } from '@looptide/testkit/without-tasks'
import type { Kysely } from 'kysely'
import { chatService } from '../src/app.ts'
import { type ChatConfig, loadConfig } from '../src/config.ts'
import type { Database } from '../src/db/schema.ts'

const logger = createLogger('test', 'silent')

/** A chat service with its own database, NATS server and identity provider. */
export interface ChatHarness {
  identity: TestIdentity
  nats: NatsConnection
  natsServer: Backing
  db: Kysely<Database>
  /** Environment of a replica in a process of its own. */
  env: Record<string, string>
  config: ChatConfig
  /** Starts a replica in this process. It accepts only users created before. */
  serve(overrides?: Partial<ChatConfig>): Promise<RunningService>
  publish<T extends EventType>(
    type: T,
    aggregateId: string,
    data: EventData<T>,
    version?: number,
  ): Promise<void>
  stop(): Promise<void>
}

const tables: ServiceTables = {
  owner: 'chat',
  migrations: fileURLToPath(new URL('../src/db/migrations', import.meta.url)),
}

/** The messages of these events in order, whether they were published alone or together. */
export const postedMessages = (events: readonly Envelope[]): ChatMessage[] =>
  events.flatMap(({ type, data }) => {
    if (type === 'chat.message.posted.v1') return [(data as EventData<typeof type>).message]
    return type === 'chat.messages.posted.v1' ? (data as EventData<typeof type>).messages : []
  })

export async function startChatHarness(postgres?: Backing): Promise<ChatHarness> {
  const [database, natsServer, identity] = await Promise.all([
    freshDatabase(postgres?.url, tables),
    startNats(),
    startIdentity(),
  ])
  const env = {
    PORT: '0',
    LOG_LEVEL: 'silent',
    DATABASE_URL: database.urlFor('chat'),
    NATS_URL: natsServer.url,
    AUTH_URL: identity.authUrl,
    INTERNAL_TOKEN: identity.internalToken,
    // Every account of a test is new.
    CHAT_LINKS_MIN_ACCOUNT_AGE_HOURS: '0',
    CHAT_NEW_ACCOUNT_SLOW_MODE_S: '0',
    ...eventKeyEnv('chat'),
  }
  const config = loadConfig(env)
  const db = createDb<Database>(config.databaseUrl, logger, 10, { statementMs: null })
  const nats = await connectNats(natsServer.url, 'test', logger)
  const running: RunningService[] = []
  let version = 0
  return {
    identity,
    nats,
    natsServer,
    db,
    env,
    config,
    serve: async (overrides = {}) => {
      const service = await startProcess(withoutTasks(chatService({ ...config, ...overrides })))
      running.push(service)
      await identity.knownAt(service.url)
      return service
    },
    publish: async (type, aggregateId, data, givenVersion) => {
      version += 1
      const envelope: Envelope = {
        id: newId(),
        type,
        occurredAt: new Date().toISOString(),
        actorId: null,
        correlationId: null,
        aggregateId,
        aggregateVersion: givenVersion ?? version,
        data,
      }
      await storeEvent(nats, envelope)
    },
    stop: async () => {
      await Promise.all(running.map((service) => service.close()))
      await nats.close()
      await db.destroy()
      await Promise.all([database.drop(), natsServer.stop(), identity.stop()])
    },
  }
}

/** An HTTP client of one replica, signed in as `person` or anonymous. */
export class ChatClient {
  readonly url: string
  readonly person: TestUser | null
  constructor(url: string, person: TestUser | null) {
    this.url = url
    this.person = person
  }

  async request<Body>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: Body; headers: Headers }> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...this.person?.headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const json: unknown = text === '' ? null : JSON.parse(text)
    return { status: response.status, body: json as Body, headers: response.headers }
  }

  post(channelId: string, message: string, clientId: string = randomUUID()) {
    return this.request<ChatMessage & { code?: string; retryAfterMs?: number }>(
      'POST',
      `/api/chat/channels/${channelId}/messages`,
      { clientId, message },
    )
  }

  async read(channelId: string, query = ''): Promise<ChatPage> {
    const answer = await this.request<ChatPage>('GET', `/api/chat/channels/${channelId}/messages${query}`)
    if (answer.status !== 200) throw new Error(`status ${answer.status}`)
    return answer.body
  }

  remove(channelId: string, messageId: string) {
    return this.request<{ code?: string } | null>(
      'DELETE',
      `/api/chat/channels/${channelId}/messages/${messageId}`,
    )
  }
}
