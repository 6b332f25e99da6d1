import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { EventData, EventType } from '@looptide/contracts/events'
import type { NewWebhookBody, WebhookWithSecret } from '@looptide/contracts/http/webhooks'
import { createDb } from '@looptide/service-kit/db/db'
import { newId } from '@looptide/service-kit/db/ids'
import { OutboundRequests } from '@looptide/service-kit/outbound/outbound-requests'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { freshDatabase } from '@looptide/testkit/postgres'
import { type Kysely, sql } from 'kysely'
import { Registry } from 'prom-client'
import { onAnnouncedEvent } from '../src/consumers/on-announced-event.ts'
import type { Database } from '../src/db/schema.ts'
import { DeliveryWorker } from '../src/features/webhooks/delivery-worker.ts'
import { ManualDeliveries } from '../src/features/webhooks/manual-deliveries.ts'
import { WebhookService } from '../src/features/webhooks/webhook-service.ts'

/** Where webhooks of tests may be sent: to receivers on this machine. */
export const loopbackOnly = (timeoutMs?: number) => ({
  allowedNetworks: ['127.0.0.0/8'],
  allowsHttp: true,
  siteUrl: 'http://station.example',
  ...(timeoutMs === undefined ? {} : { timeoutMs }),
})

/** A request that a receiver got. */
export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** The programme's sequence number, of a test's event. */
  seq: number
  channelId: string
}

/** A receiver of webhooks on this machine. It keeps what it got, and answers what `answer` says. */
export interface Receiver {
  url: string
  received: Received[]
  answer: RequestListener
  close(): Promise<void>
}

export const withStatus =
  (status: number): RequestListener =>
  (_request, response) =>
    void response.writeHead(status).end()

export async function startReceiver(): Promise<Receiver> {
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    const { data = {} } = JSON.parse(body) as { data?: { programmeId?: string; channelId?: string } }
    receiver.received.push({
      ...{ path: request.url ?? '', headers: request.headers, body },
      seq: Number(data.programmeId),
      channelId: data.channelId ?? '',
    })
    receiver.answer(request, response)
  }
  const server = createServer((request, response) => void take(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    answer: withStatus(204),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}

/** A database with webhooks and a clock that the test moves, without a service: a test does each step of the worker. */
export interface WebhookBench {
  db: Kysely<Database>
  url: string
  webhooks: WebhookService
  deliveries: ManualDeliveries
  worker: DeliveryWorker
  nowMs: number
  create(receiver: Receiver, more?: Partial<NewWebhookBody>): Promise<WebhookWithSecret>
  /** A programme starts: its id is the number. */
  programme(channelId: string, seq: number): Promise<void>
  /** Begins what is due, and waits for it, until nothing more is due. */
  run(): Promise<void>
  outbox<T extends EventType>(type: T): Promise<EventData<T>[]>
  close(): Promise<void>
}

const migrations = fileURLToPath(new URL('../src/db/migrations', import.meta.url))

/** @param timeoutMs time that a receiver has to answer; longer than the slowest machine needs, for tests of other things */
export async function openWebhookBench(timeoutMs = 60_000): Promise<WebhookBench> {
  const database = await freshDatabase(undefined, { owner: 'admin_audit', migrations })
  const url = database.urlFor('admin_audit')
  const logger = createLogger('test', 'silent')
  const db = createDb<Database>(url, logger, 6)
  const outbound = new OutboundRequests(loopbackOnly(timeoutMs))
  const now = (): number => bench.nowMs
  const worker = new DeliveryWorker({ db, outbound, logger, registry: new Registry(), now })
  const bench: WebhookBench = {
    ...{ db, url, worker, nowMs: Date.now() },
    webhooks: new WebhookService({ db, outbound, now }),
    deliveries: new ManualDeliveries({ db, now, wake: () => undefined }),
    create: (receiver, more = {}) =>
      bench.webhooks.create({ url: receiver.url, events: ['programme.started'], ...more }, {}),
    programme: async (channelId, seq) => {
      const occurredAt = new Date(bench.nowMs).toISOString()
      await db.transaction().execute((trx) =>
        onAnnouncedEvent(trx, {
          ...{ id: newId(), type: 'stream.programme.started.v1', occurredAt },
          ...{ actorId: null, correlationId: null, aggregateId: channelId, aggregateVersion: seq },
          data: {
            ...{ channelId, channelName: channelId, programmeId: String(seq), seq, videoId: newId() },
            ...{ startsAtMs: bench.nowMs, endsAtMs: bench.nowMs + 1000, title: 'Song', artist: null },
          },
        }),
      )
    },
    run: async () => {
      while ((await worker.step()) > 0) await worker.settle()
    },
    outbox: async (type) => {
      const { rows } = await sql<{ data: EventData<typeof type> }>`
        select data from outbox where type = ${type} order by seq`.execute(db)
      return rows.map(({ data }) => data)
    },
    close: async () => {
      await worker.stop()
      await db.destroy()
      await database.drop()
    },
  }
  return bench
}
