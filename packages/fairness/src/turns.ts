import { ACCOUNTS_PER_NETWORK, withinNetworkLimit } from './network-limit.ts'
import { byTimeOfRequest, compareIds, type WaitingRequest } from './waiting-request.ts'
import type { LoadedBallot } from './water-level.ts'

/** Airings count for this time when an account begins to wait. */
const TURN_WINDOW_MS = 24 * 3_600_000

export interface TurnRequest extends WaitingRequest {
  /** An opaque key of the account's network. */
  network: string
}

/** What personal turns remember of an account. */
interface TurnAccount {
  account: string
  network: string
  /** Its aired minutes in ms, as compared with those of others. */
  loadMs: number
  isWaiting: boolean
  /** Its airings of the last 24 hours. */
  airings: readonly { startsAtMs: number; durationMs: number }[]
}

export interface TurnState {
  /** The load of the account that was served last: what an account begins with. Never falls. */
  baseMs: number
  accounts: readonly TurnAccount[]
}

export const NO_TURNS: TurnState = { baseMs: 0, accounts: [] }

/** An account that waits for its turn, with its requests. */
export interface Turn extends LoadedBallot {
  account: string
}

/**
 * The state with the accounts that wait at `nowMs`. An account that begins to wait has the load of the one that was
 * served last: time without a request counts neither for nor against it. It has more if its own airings of the last 24
 * hours have put it ahead. While it waits, its load does not change except by its own airings: a request that a rule
 * delays keeps its place.
 */
export function enterTurns(
  state: TurnState,
  requests: readonly TurnRequest[],
  nowMs: number,
  perNetwork: number = ACCOUNTS_PER_NETWORK,
): TurnState {
  const { baseMs } = state
  const known = new Map(state.accounts.map((one) => [one.account, one]))
  const asking = Map.groupBy(requests, ({ account }) => account)
  const isAhead = (account: string) => (known.get(account)?.loadMs ?? baseMs) > baseMs
  const absent = state.accounts.filter(({ account }) => !asking.has(account) && isAhead(account))
  const counted = withinNetworkLimit(
    [
      ...absent.map(({ account, network }) => ({ account, network, sinceMs: 0, isInDebt: true })),
      ...[...asking].map(([account, own]) => ({
        account,
        network: networkOf(own),
        sinceMs: Math.min(...own.map(({ requestedAtMs }) => requestedAtMs)),
        isInDebt: isAhead(account),
      })),
    ],
    perNetwork,
  )
  const waiting = [...asking].flatMap(([account, own]): TurnAccount[] => {
    if (!counted.has(account)) return []
    const before = known.get(account)
    const airings = recent(before?.airings ?? [], nowMs)
    const loadMs = before?.isWaiting === true ? before.loadMs : returningLoad(before, airings, baseMs)
    return [{ account, network: networkOf(own), loadMs, isWaiting: true, airings }]
  })
  const leaving = absent.flatMap((one): TurnAccount[] => {
    const airings = recent(one.airings, nowMs)
    return airings.length === 0 ? [] : [{ ...one, airings, isWaiting: false }]
  })
  return { baseMs, accounts: [...waiting, ...leaving].sort((a, b) => compareIds(a.account, b.account)) }
}

/** How far an account is ahead when it begins to wait again: as before, at most by what was aired in the last 24 hours. */
function returningLoad(
  before: TurnAccount | undefined,
  airings: TurnAccount['airings'],
  baseMs: number,
): number {
  const airedMs = airings.reduce((sum, { durationMs }) => sum + durationMs, 0)
  return Math.max(baseMs, Math.min(before?.loadMs ?? baseMs, baseMs + airedMs))
}

const recent = (airings: TurnAccount['airings'], nowMs: number): TurnAccount['airings'] =>
  airings.filter(({ startsAtMs }) => startsAtMs > nowMs - TURN_WINDOW_MS)

/** The network of the newest request. */
const networkOf = (requests: readonly TurnRequest[]): string =>
  requests.reduce((newest, one) => (one.requestedAtMs > newest.requestedAtMs ? one : newest)).network

/** The turns of a decision, for `rank` and for the receipt, in the order of the accounts' ids. */
export function turnsOf(state: TurnState, requests: readonly WaitingRequest[]): Turn[] {
  const asking = Map.groupBy(requests, ({ account }) => account)
  return state.accounts
    .filter(({ isWaiting }) => isWaiting)
    .map(({ account, loadMs }) => ({
      account,
      load: loadMs,
      approved: (asking.get(account) ?? []).toSorted(byTimeOfRequest).map(({ id }) => id),
    }))
}

/** The state after `winner` has been aired at `startsAtMs`. */
export function chargeTurn(state: TurnState, winner: WaitingRequest, startsAtMs: number): TurnState {
  const own = state.accounts.find(({ account }) => account === winner.account)
  if (own === undefined) throw new Error('An account that does not wait has no turn.')
  const airings = [...own.airings, { startsAtMs, durationMs: winner.durationMs }]
  const charged = { ...own, loadMs: own.loadMs + winner.durationMs, airings }
  return {
    baseMs: Math.max(state.baseMs, own.loadMs),
    accounts: state.accounts.map((one) => (one === own ? charged : one)),
  }
}
