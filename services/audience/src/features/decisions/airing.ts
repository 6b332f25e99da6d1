import { randomBytes } from 'node:crypto'
import type { EventData } from '@looptide/contracts/events'
import type { ProgrammeRequest } from '@looptide/contracts/events/stream'
import type { Currency } from '@looptide/fairness/ranking'
import { type Receipt, receiptOf } from '@looptide/fairness/receipt'
import { recompute } from '@looptide/fairness/recompute'
import { appendEvent, type Cause } from '@looptide/service-kit/events/outbox'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { markQueuesChanged } from '../queue/queue-repository.ts'
import { airRequest, lockRequest } from '../requests/request-repository.ts'
import { deleteVotesOf } from '../requests/vote-repository.ts'
import { lockChannel } from '../settings/settings-repository.ts'
import {
  accountsOf,
  chargeDecision,
  type Loads,
  presentSlot,
  type Slot,
  slotOf,
  withoutAccounts,
} from './charge.ts'
import { type Decision, type NamedDecision, takeDecision } from './decision.ts'
import { deleteDecisions, findBody, listDecisions, saveDecisions } from './decision-repository.ts'
import {
  deletedAmong,
  hasForgottenDebt,
  readLoads,
  saveTurnLoads,
  saveVoteLoads,
  setForgottenDebt,
} from './load-repository.ts'
import type { QueueBody } from './queue-body.ts'
import { insertReceipt } from './receipt-repository.ts'

type Started = EventData<'stream.programme.started.v1'>

/** What an airing is applied with. `onMismatch` counts airings that their queue does not explain. */
export interface AiringDeps {
  logger: Logger
  onMismatch: () => void
}

/**
 * A programme has started that is a request: the request is aired, its decision is charged and its receipt is stored, in one
 * transaction, once for each airing. A pinned request is aired without a charge and without a receipt.
 */
export async function applyAiring(
  deps: AiringDeps,
  trx: Transaction<Database>,
  { channelId, programmeId, startsAtMs, request }: Started,
  cause: Cause,
): Promise<void> {
  if (request === undefined) return
  // Queues are published under the same lock: each contains this charge, or names the request as decided.
  await lockChannel(trx, channelId)
  const row = await lockRequest(trx, request.id, 'update')
  if (row === undefined || row.channelId !== channelId || row.state === 'aired') return
  const body = await findBody(trx, channelId, request.sequence)
  const queued = body?.requests.find(({ id }) => id === request.id)
  const isPinned = queued?.isPinned ?? row.pinnedAt !== null
  const decision = await decisionOf(trx, channelId, { ...request, requestId: request.id, startsAtMs })
  if (body !== undefined && queued !== undefined) {
    if (!isPinned) await charge(deps, trx, { channelId, decision, request, body })
    // Later decisions of the queue know this one, also if it had not been announced.
    await saveDecisions(trx, channelId, [decision])
  } else {
    await deleteDecisions(trx, [request.id])
    if (!isPinned) {
      deps.logger.error({ channelId, requestId: request.id }, 'aired request without a queue')
      deps.onMismatch()
    }
  }
  await airRequest(trx, request.id, {
    airedAt: new Date(startsAtMs),
    airingId: programmeId,
    currency: isPinned ? null : request.currency,
    // Turns cost the duration with which they were decided.
    durationMs: queued?.durationMs ?? row.durationMs,
  })
  await deleteVotesOf(trx, [request.id])
  await markQueuesChanged(trx, [channelId])
  const changed = { channelId, requestId: request.id, state: 'aired' as const }
  await appendEvent(trx, 'audience.request.changed.v1', channelId, changed, cause)
}

/** The stored decision of an airing; a new one, if the programme has started before it was announced as decided. */
async function decisionOf(
  trx: Transaction<Database>,
  channelId: string,
  named: NamedDecision,
): Promise<Decision> {
  const stored = await listDecisions(trx, channelId)
  const own = stored.find(({ requestId }) => requestId === named.requestId)
  return takeDecision(named, own, stored, named.startsAtMs)
}

interface Charge {
  channelId: string
  decision: Decision
  request: ProgrammeRequest
  body: QueueBody
}

async function charge(
  { logger, onMismatch }: AiringDeps,
  trx: Transaction<Database>,
  { channelId, decision, request, body }: Charge,
): Promise<void> {
  const { currency, earlier, decidedAtMs } = decision
  const loads = await readLoads(trx, channelId, body.nowMs)
  const slot = slotOf(body, earlier, currency)
  const isLinked = currency === 'turn' || !(await hasForgottenDebt(trx, channelId))
  const isConsistent = isLinked && hasEqualLoads(slot, presentSlot(loads, body, earlier, currency))
  const receipt = receiptFor(slot, request, { decidedAtMs, isConsistent })
  if (receipt === undefined || !recompute(receipt).isCorrect) {
    logger.error({ channelId, requestId: request.id }, 'aired request not explained by its queue')
    onMismatch()
  }
  await saveLoads(trx, channelId, currency, chargeDecision(loads, body, decision))
  if (receipt !== undefined) await insertReceipt(trx, request.id, receipt)
}

/** Undefined if the queue did not rank the request: it was decided twice. */
function receiptFor(
  { requests, ballots }: Slot,
  { id, currency, passedOver }: ProgrammeRequest,
  about: { decidedAtMs: number; isConsistent: boolean },
): Receipt | undefined {
  const winner = requests.find((one) => one.id === id)
  if (winner === undefined) return undefined
  const ids = new Set(requests.map((one) => one.id))
  const ranked = passedOver.filter(({ request }) => ids.has(request))
  const decision = { ...about, currency, ballots, requests, winner, passedOver: ranked }
  return receiptOf(decision, randomBytes(32))
}

function hasEqualLoads({ ballots }: Slot, { ballots: others }: Slot): boolean {
  const loads = new Map(others.map(({ account, load }) => [account, load]))
  return loads.size === ballots.length && ballots.every(({ account, load }) => loads.get(account) === load)
}

async function saveLoads(
  trx: Transaction<Database>,
  channelId: string,
  currency: Currency,
  charged: Loads,
): Promise<void> {
  const gone = await deletedAmong(trx, accountsOf(charged))
  const { votes, turns } = withoutAccounts(charged, gone)
  if (currency === 'turn') {
    await saveTurnLoads(trx, channelId, turns)
    return
  }
  await saveVoteLoads(trx, channelId, votes)
  const hasForgotten = charged.votes.some(({ account, load }) => load > 0 && gone.has(account))
  await setForgottenDebt(trx, channelId, hasForgotten)
}
