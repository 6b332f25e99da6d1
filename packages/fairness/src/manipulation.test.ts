import { seededRandom } from '@looptide/playhead/random'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rank } from './ranking.ts'
import { EVENINGS_TIMEOUT_MS, evenings } from './testing/config.ts'
import { type Campaign, type Evening, likedSlots, type Strategy } from './testing/vote-campaign.ts'
import { chargeTurn, enterTurns, NO_TURNS, type TurnRequest, turnsOf } from './turns.ts'

/** Slots of one currency in an hour: one every quarter of an hour. */
const SLOTS_PER_HOUR = 4
const HOURS = 5
const SLOTS = HOURS * SLOTS_PER_HOUR

const accounts = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `campaigner ${index}`)
const ballots = (count: number, approved: readonly string[]) =>
  new Map(accounts(count).map((account) => [account, approved]))
const liked = ({ waiting }: Campaign) => waiting.filter(({ isLiked }) => isLiked).map(({ id }) => id)
/** The liked request with the most or the fewest votes of others. */
const liked1 = ({ waiting }: Campaign, order: 1 | -1) =>
  waiting
    .filter(({ isLiked }) => isLiked)
    .toSorted((a, b) => order * (a.othersLiking - b.othersLiking))
    .slice(0, 1)
    .map(({ id }) => id)

const honest =
  (count: number): Strategy =>
  (campaign) =>
    ballots(count, liked(campaign))

/** Strategies of a bloc of `count` accounts. */
const strategies: Readonly<Record<string, (count: number, others: number) => Strategy>> = {
  'vote together for the most popular request': (count) => (campaign) => ballots(count, liked1(campaign, -1)),
  'vote only for what others do not vote for': (count) => (campaign) => ballots(count, liked1(campaign, 1)),
  'do not pay for what wins anyway': (count, others) => (campaign) => {
    const own = campaign.waiting.filter(({ isLiked, othersLiking }) => isLiked && othersLiking * 2 < others)
    return ballots(count, own.length > 0 ? own.map(({ id }) => id) : liked(campaign))
  },
  'vote for everything':
    (count) =>
    ({ waiting }) =>
      ballots(
        count,
        waiting.map(({ id }) => id),
      ),
  'vote in the second half only': (count) => (campaign) =>
    ballots(count, campaign.slot * 2 < campaign.slots ? [] : liked(campaign)),
  'collect what is owed with a vote that cannot win, then vote together': (count) => (campaign) =>
    ballots(count, campaign.slot * 2 < campaign.slots ? ['never aired'] : liked(campaign)),
  'vote in every other slot': (count) => (campaign) =>
    ballots(count, campaign.slot % 2 === 0 ? liked(campaign) : []),
  'leave while in debt': (count) => (campaign) => {
    const inDebt = new Set(campaign.state.filter(({ load }) => load > 0).map(({ account }) => account))
    return new Map(accounts(count).map((account) => [account, inDebt.has(account) ? [] : liked(campaign)]))
  },
  'split into two halves that vote for different requests': (count) => (campaign) => {
    const own = liked(campaign)
    return new Map(
      accounts(count).map((account, index) => [account, own.filter((_id, place) => place % 2 === index % 2)]),
    )
  },
  'take turns at voting': (count) => (campaign) =>
    new Map(
      accounts(count).map((account, index) => [
        account,
        index % 3 === campaign.slot % 3 ? liked(campaign) : [],
      ]),
    ),
}

const evening = fc.record({
  seed: fc.integer(),
  others: fc.integer({ min: 20, max: 45 }),
  waiting: fc.integer({ min: 4, max: 12 }),
  forbidden: fc.constantFrom(0, 0.3),
  taste: fc.double({ min: 0.1, max: 0.6, noNaN: true }),
})

const drawsOf =
  (seed: number): Evening['draw'] =>
  (...parts) =>
    seededRandom([seed, ...parts].join(' '))()

describe('no strategy gains more than one slot an hour', () => {
  test.each(Object.entries(strategies))(
    'as a bloc of three in ten voters: %s',
    (_name, strategyOf) => {
      fc.assert(
        fc.property(evening, ({ seed, ...given }) => {
          const campaigners = Math.round((given.others * 3) / 7)
          const played: Evening = {
            ...given,
            draw: drawsOf(seed),
            slots: SLOTS,
            networkOf: (account) => account,
          }
          const gain =
            likedSlots(played, strategyOf(campaigners, given.others)) -
            likedSlots(played, honest(campaigners))
          expect(gain).toBeLessThanOrEqual(HOURS)
        }),
        evenings(3),
      )
    },
    EVENINGS_TIMEOUT_MS,
  )

  test(
    'with 20 accounts on one network',
    () => {
      fc.assert(
        fc.property(evening, ({ seed, ...given }) => {
          const played: Evening = {
            ...given,
            draw: drawsOf(seed),
            slots: SLOTS,
            networkOf: () => 'one network',
          }
          const gain = likedSlots(played, honest(20)) - likedSlots(played, honest(1))
          expect(gain).toBeLessThanOrEqual(HOURS)
        }),
        evenings(5),
      )
    },
    EVENINGS_TIMEOUT_MS,
  )
})

const MINUTE_MS = 60_000
const MEAN_MINUTES = 4

/** What a person asks for who has several accounts: their requests that shall wait now. */
interface TurnStrategy {
  accounts: number
  minutes: number
  /** Whether the person asks in this slot; `airedLast` says whether the slot before was theirs. */
  isAsking: (slot: number, airedLast: boolean) => boolean
}

/** Minutes of a person among `others` who always have a request waiting. */
function airedMinutes(
  seed: number,
  others: number,
  { accounts: count, minutes, isAsking }: TurnStrategy,
): number {
  const random = seededRandom(seed)
  const durations = Array.from({ length: SLOTS }, () => (1 + random() * (2 * MEAN_MINUTES - 2)) * MINUTE_MS)
  let state = NO_TURNS
  let made = 0
  let requests: TurnRequest[] = []
  let airedMs = 0
  let airedLast = false
  for (let slot = 0; slot < SLOTS; slot += 1) {
    const ask = (account: string, network: string, durationMs: number) => {
      if (!requests.some((request) => request.account === account))
        requests.push({
          id: `r${made}`,
          account,
          network,
          durationMs: Math.round(durationMs),
          requestedAtMs: made,
        })
      made += 1
    }
    for (let viewer = 0; viewer < others; viewer += 1)
      ask(`viewer ${viewer}`, `network ${viewer}`, durations[(slot + viewer) % SLOTS] ?? MINUTE_MS)
    if (!isAsking(slot, airedLast)) requests = requests.filter(({ network }) => network !== 'own')
    else for (const account of accounts(count)) ask(account, 'own', minutes * MINUTE_MS)
    state = enterTurns(state, requests, slot * 15 * MINUTE_MS)
    const [first] = rank('turn', turnsOf(state, requests), requests)
    const winner = requests.find(({ id }) => id === first)
    if (winner === undefined) throw new Error('somebody waits')
    state = chargeTurn(state, winner, slot * 15 * MINUTE_MS)
    requests = requests.filter((request) => request !== winner)
    airedLast = winner.network === 'own'
    if (airedLast) airedMs += winner.durationMs
  }
  return airedMs / MINUTE_MS
}

const always = () => true
const turnStrategies: Readonly<Record<string, TurnStrategy>> = {
  'ask with 20 accounts of one network': { accounts: 20, minutes: MEAN_MINUTES, isAsking: always },
  'ask for short videos': { accounts: 1, minutes: 0.5, isAsking: always },
  'ask for short videos with 20 accounts': { accounts: 20, minutes: 1, isAsking: always },
  'ask for long videos': { accounts: 1, minutes: 15, isAsking: always },
  'withdraw after each airing': {
    accounts: 1,
    minutes: MEAN_MINUTES,
    isAsking: (_slot, airedLast) => !airedLast,
  },
  'ask in the second half only': {
    accounts: 1,
    minutes: MEAN_MINUTES,
    isAsking: (slot) => slot * 2 >= SLOTS,
  },
  'withdraw and ask again': { accounts: 3, minutes: MEAN_MINUTES, isAsking: (slot) => slot % 2 === 0 },
}

test.each(Object.entries(turnStrategies))(
  'no requester gains more than one mean video an hour: %s',
  (_name, strategy) => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 20, max: 40 }), (seed, others) => {
        const honestly = { accounts: 1, minutes: MEAN_MINUTES, isAsking: always }
        const gain = airedMinutes(seed, others, strategy) - airedMinutes(seed, others, honestly)
        expect(gain).toBeLessThanOrEqual(HOURS * MEAN_MINUTES)
      }),
      evenings(20),
    )
  },
  EVENINGS_TIMEOUT_MS,
)
