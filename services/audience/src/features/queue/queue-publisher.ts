import { appendEvents } from '@looptide/service-kit/events/outbox'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { PeriodicTask } from '@looptide/service-kit/time/periodic-task'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { accountsOf, chargeDecision, type Loads, withoutAccounts } from '../decisions/charge.ts'
import { findBody, insertBody, listDecisions } from '../decisions/decision-repository.ts'
import { deletedAmong, readLoads } from '../decisions/load-repository.ts'
import { dayOf } from '../networks/network-keys.ts'
import { excludedAmong } from '../settings/settings-repository.ts'
import { splitQueue } from './queue-parts.ts'
import {
  beginSequence,
  findChangedQueues,
  networksOf,
  readBallots,
  readQueue,
  setRanks,
} from './queue-repository.ts'
import { rankQueue } from './rank-queue.ts'

/** Interval at which changed queues are ordered and published, in ms. */
const PUBLISH_INTERVAL_MS = 10_000

interface PublisherDeps {
  db: Kysely<Database>
  logger: Logger
  now: () => number
}

/** Orders and publishes the queues that have changed, every 10 s. Several replicas may run it at the same time. */
export const queuePublisher = (deps: PublisherDeps): PeriodicTask =>
  new PeriodicTask({
    logger: deps.logger,
    everyMs: PUBLISH_INTERVAL_MS,
    atStart: true,
    failure: 'request queues not published',
    run: (signal) => publishQueues(deps, signal),
  })

/** One run of {@link queuePublisher}. A channel that fails is logged, and tried again by the next run. */
export async function publishQueues({ db, logger, now }: PublisherDeps, signal?: AbortSignal): Promise<void> {
  for (const channelId of await findChangedQueues(db)) {
    if (signal?.aborted === true) return
    await publishQueue(db, channelId, now()).catch((error: unknown) =>
      logger.warn({ err: error, channelId }, 'request queue not published'),
    )
  }
}

/** Stores the order of a channel's requests and publishes its queue, in one transaction. */
async function publishQueue(db: Kysely<Database>, channelId: string, nowMs: number): Promise<void> {
  const day = dayOf(nowMs)
  await db.transaction().execute(async (trx) => {
    const sequence = await beginSequence(trx, channelId, nowMs)
    if (sequence === undefined) return
    const { loads, decided } = await loadsAfterDecided(trx, channelId, nowMs)
    const requests = await readQueue(trx, channelId, { day, without: decided })
    const excluded = await excludedAmong(
      trx,
      requests.map((one) => ({ ...one, channelId })),
    )
    const { queue, body, moved } = rankQueue({
      ...{ requests, excluded },
      cast: await readBallots(trx, channelId, { day, without: [...decided, ...excluded] }),
      loads: await withNetworks(trx, loads, day),
      nowMs,
    })
    await insertBody(trx, { channelId, sequence }, body)
    const parts = splitQueue(queue)
    await appendEvents(
      trx,
      parts.map((part, index) => ({
        type: 'audience.queue.changed.v1' as const,
        aggregateId: channelId,
        data: { channelId, sequence, part: index + 1, parts: parts.length, decided, ...part },
      })),
    )
    // Last, because a vote waits for the requests that it changes.
    await setRanks(trx, moved)
  })
}

/** The loads of a channel with the charges of what is decided but not aired yet, each with the ballots of its own queue. */
async function loadsAfterDecided(trx: Transaction<Database>, channelId: string, nowMs: number) {
  const open = (await listDecisions(trx, channelId)).filter(({ isAired }) => !isAired)
  let loads = await readLoads(trx, channelId, nowMs)
  for (const decision of open) {
    const body = await findBody(trx, channelId, decision.sequence)
    if (body === undefined) continue
    const charged = chargeDecision(loads, body, decision)
    loads = withoutAccounts(charged, await deletedAmong(trx, accountsOf(charged)))
  }
  return { loads, decided: open.map(({ requestId }) => requestId) }
}

async function withNetworks(
  trx: Transaction<Database>,
  { votes, turns }: Loads,
  day: string,
): Promise<Loads> {
  const networks = await networksOf(trx, accountsOf({ votes, turns }), day)
  const named = <T extends { account: string }>(one: T) => ({
    ...one,
    network: networks.get(one.account) ?? one.account,
  })
  return { votes: votes.map(named), turns: { ...turns, accounts: turns.accounts.map(named) } }
}
