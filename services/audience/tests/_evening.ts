import { isDeepStrictEqual } from 'node:util'
import type { EventData } from '@looptide/contracts/events'
import { type Currency, loadsAfter, rank } from '@looptide/fairness/ranking'
import { chargeTurn, enterTurns, NO_TURNS, type TurnRequest, type TurnState } from '@looptide/fairness/turns'
import {
  type Ballot,
  type CastBallot,
  chargeVotes,
  countBallots,
  type VoteState,
} from '@looptide/fairness/votes'
import type { LoadedBallot } from '@looptide/fairness/water-level'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { sql } from 'kysely'
import { publishQueues } from '../src/features/queue/queue-publisher.ts'
import { type AudienceHarness, tick } from './_harness.ts'

type Queue = EventData<'audience.queue.changed.v1'>
type Planned = EventData<'stream.requests.planned.v1'>['planned'][number]

const logger = createLogger('test', 'silent')
const SLOT_MS = 240_000

/** What was true when a queue was published. */
interface Snapshot {
  nowMs: number
  cast: CastBallot[]
  requests: TurnRequest[]
  pinned: ReadonlySet<string>
  /** What has been aired or decided. */
  charged: Planned[]
}

/** What the scheduler knew when it decided a request. */
interface Known {
  /** Ascending. */
  loads: number[]
  /** The requests of the same currency whose charges these loads contain, in the order of their starts. */
  charged: string[]
}

const requestsOf = (decisions: readonly Planned[], currency: Currency): string[] =>
  decisions.filter((one) => one.currency === currency).map(({ requestId }) => requestId)

/** The id of a channel's programme in a timeline. */
export const programmeIdOf = (channelId: string, seq: number): string => `${channelId}.1.${seq}`

/** A channel whose scheduler is played: it decides requests with the queues that it received, and airs or drops them. */
export class Evening {
  readonly channelId: string
  readonly #harness: AudienceHarness
  readonly #snapshots = new Map<number, Snapshot>()
  /** The queue in use, and what was decided with it. */
  #queue: Queue | undefined
  #taken: Planned[] = []
  #aired: Planned[] = []
  #startsAtMs: number
  /** Decided requests in the order of their starts. */
  open: Planned[] = []
  /** By request: what its newest decision was taken with. */
  readonly known = new Map<string, Known>()
  /** The loads of what was aired, as a model of the rules computes them. */
  votes: VoteState = []
  turns: TurnState = NO_TURNS

  constructor(harness: AudienceHarness, channelId: string) {
    this.#harness = harness
    this.channelId = channelId
    this.#startsAtMs = harness.clock.nowMs
  }

  /** Audience publishes its queue, if it has changed. The scheduler uses it if it names all that is decided. */
  async publishQueue(): Promise<Queue | undefined> {
    const { db, clock, service } = this.#harness
    tick(this.#harness)
    const snapshot = await this.#snapshot()
    await publishQueues({ db, logger, now: () => clock.nowMs })
    await service.processAll()
    const row = await db
      .selectFrom('publishedEvents')
      .select('data')
      .where('type', '=', 'audience.queue.changed.v1')
      .where('aggregateId', '=', this.channelId)
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst()
    const queue = row?.data as Queue | undefined
    if (queue === undefined || this.#snapshots.has(queue.sequence)) return queue
    this.#snapshots.set(queue.sequence, snapshot)
    if (this.open.every(({ requestId }) => queue.decided?.includes(requestId))) {
      this.#queue = queue
      this.#taken = []
    }
    return queue
  }

  /**
   * The scheduler decides a request: the best one of which `forbidden` requests before it are passed over. Returns undefined if
   * no request is left.
   */
  async decide(currency: Currency, forbidden = 0): Promise<Planned | undefined> {
    const queue = this.#queue
    if (queue === undefined) return undefined
    const gone = new Set(this.#taken.map(({ requestId }) => requestId))
    const waiting = queue.requests.filter(({ id }) => !gone.has(id))
    const pinned = waiting.find(({ isPinned }) => isPinned)
    const ballots = this.#ballots(queue, currency)
    const order = rank(
      currency,
      ballots,
      waiting.filter(({ isPinned }) => !isPinned),
    )
    const skipped = Math.min(forbidden, order.length - 1)
    const requestId = pinned?.id ?? order[skipped]
    if (requestId === undefined) return undefined
    this.#startsAtMs = Math.max(this.#startsAtMs, this.#harness.clock.nowMs) + SLOT_MS
    const decided: Planned = {
      ...{ requestId, currency, sequence: queue.sequence, startsAtMs: this.#startsAtMs, isDecided: true },
      passedOver:
        pinned === undefined
          ? order.slice(0, skipped).map((request) => ({ request, rule: 'artistSeparation' }))
          : [],
    }
    const before = [...(this.#snapshots.get(queue.sequence)?.charged ?? []), ...this.#taken]
    this.known.set(requestId, {
      loads: ballots.map(({ load }) => load).sort((a, b) => a - b),
      charged: requestsOf(before, currency),
    })
    this.#taken.push(decided)
    this.open.push(decided)
    await this.plan()
    return decided
  }

  /** A decided request does not start, as after a takeover. */
  async undo(index: number): Promise<void> {
    const undone = this.open.splice(index, 1)
    this.#taken = this.#taken.filter((one) => !undone.includes(one))
    await this.plan()
  }

  /** The scheduler publishes its timeline: what is decided, and these further places. */
  async plan(
    further: readonly Planned[] = [],
    blocked: EventData<'stream.requests.planned.v1'>['blocked'] = [],
  ) {
    const data = { channelId: this.channelId, planned: [...this.open, ...further], blocked }
    await this.#harness.publish('stream.requests.planned.v1', this.channelId, data)
  }

  /** The next decided request starts. Returns it. */
  async air(): Promise<Planned | undefined> {
    const next = this.open.shift()
    if (next === undefined) return undefined
    this.#harness.clock.nowMs = Math.max(this.#harness.clock.nowMs, next.startsAtMs)
    this.#aired.push(next)
    await this.started(next, this.#aired.length)
    this.#charge(next)
    return next
  }

  /** Whether the newest decision of a request that is on the air knew all that was aired before it, and nothing else. */
  isExpected({ requestId, currency }: Planned): boolean {
    const aired = requestsOf(this.#aired, currency)
    const before = aired.slice(0, aired.indexOf(requestId))
    return isDeepStrictEqual(this.known.get(requestId)?.charged, before)
  }

  /** The event of a start; twice for one programme, if it is delivered twice. */
  async started(
    { requestId, currency, sequence, startsAtMs, passedOver }: Planned,
    seq: number,
  ): Promise<void> {
    await this.#harness.publish('stream.programme.started.v1', this.channelId, {
      ...{ channelId: this.channelId, programmeId: programmeIdOf(this.channelId, seq), seq, startsAtMs },
      ...{ videoId: requestId, endsAtMs: startsAtMs + SLOT_MS },
      request: { id: requestId, currency, sequence, passedOver },
    })
  }

  /** What is stored, in the form of the model. */
  async stored() {
    const { db } = this.#harness
    const ofChannel = ['channelId', '=', this.channelId] as const
    const votes = await db
      .selectFrom('voteLoads')
      .select(['userId', 'load'])
      .where(...ofChannel)
      .execute()
    const turns = await db
      .selectFrom('turnAccounts')
      .select(['userId', 'loadMs'])
      .where(...ofChannel)
      .execute()
    return {
      votes: new Map(votes.map(({ userId, load }) => [userId, load])),
      turns: new Map(turns.map(({ userId, loadMs }) => [userId, loadMs])),
    }
  }

  /** The model in the form of {@link stored}. */
  expected() {
    return {
      votes: new Map(this.votes.map(({ account, load }) => [account, load])),
      turns: new Map(this.turns.accounts.map(({ account, loadMs }) => [account, loadMs])),
    }
  }

  /** The ballots of a queue after the charges of what was decided with it, as the planner computes them. */
  #ballots(queue: Queue, currency: Currency): readonly LoadedBallot[] {
    const ids = queue.requests.map(({ id }) => id)
    const ballots = (currency === 'turn' ? queue.turns : queue.votes).map(({ load, approved }, index) => ({
      ...{ load, account: String(index), network: String(index), sinceMs: 0 },
      approved: approved.flatMap((place) => ids[place] ?? []),
    }))
    const charged = requestsOf(this.#taken, currency).flatMap(
      (requestId) => queue.requests.find(({ id, isPinned }) => id === requestId && !isPinned) ?? [],
    )
    if (currency === 'vote')
      return charged.reduce<readonly Ballot[]>(
        (before, winner) => countBallots(chargeVotes(before, { ...winner, account: '' }), ballots),
        ballots,
      )
    return charged.reduce<readonly LoadedBallot[]>((before, winner) => {
      const loads = loadsAfter(currency, before, winner)
      return before.map(({ approved }, index) => ({ approved, load: loads[index] ?? 0 }))
    }, ballots)
  }

  async #snapshot(): Promise<Snapshot> {
    const { db, clock } = this.#harness
    const open = this.open.map(({ requestId }) => requestId)
    const rows = await db
      .selectFrom('requests')
      .selectAll()
      .where('channelId', '=', this.channelId)
      .where('state', '=', 'waiting')
      .where(sql<boolean>`id <> all(${open}::uuid[])`)
      .execute()
    const votes = await db
      .selectFrom('votes')
      .select(['requestId', 'userId'])
      .where(sql<boolean>`request_id = any(${rows.map(({ id }) => id)}::uuid[])`)
      .execute()
    const cast = Map.groupBy(votes, ({ userId }) => userId)
    return {
      nowMs: clock.nowMs,
      cast: [...cast].map(([account, own]) => ({
        ...{ account, network: account, sinceMs: 0 },
        approved: own.map(({ requestId }) => requestId),
      })),
      requests: rows.flatMap(({ id, userId, durationMs, requestedAt }) =>
        userId === null
          ? []
          : [{ id, account: userId, network: userId, durationMs, requestedAtMs: requestedAt.getTime() }],
      ),
      charged: [...this.#aired, ...this.open],
      pinned: new Set(rows.filter(({ pinnedAt }) => pinnedAt !== null).map(({ id }) => id)),
    }
  }

  #charge({ requestId, currency, sequence, startsAtMs }: Planned): void {
    const snapshot = this.#snapshots.get(sequence)
    const winner = snapshot?.requests.find(({ id }) => id === requestId)
    if (snapshot === undefined || winner === undefined || snapshot.pinned.has(requestId)) return
    if (currency === 'vote') {
      this.votes = chargeVotes(countBallots(this.votes, snapshot.cast), winner)
    } else {
      const entered = enterTurns(this.turns, snapshot.requests, snapshot.nowMs)
      this.turns = chargeTurn(entered, winner, startsAtMs)
    }
  }
}
