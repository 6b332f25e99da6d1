import type { VoteState } from '../votes.ts'
import type { WaitingRequest } from '../waiting-request.ts'
import { playVoteSlot, requestOf, type Vote } from './vote-slot.ts'

/** What a viewer sees before a slot, and how they vote for it. Honest viewers approve all that they like. */
export interface Campaign {
  slot: number
  slots: number
  state: VoteState
  /** The waiting requests, with whether the campaigners and how many of the others like them. */
  waiting: readonly { id: string; isLiked: boolean; othersLiking: number }[]
}

/** The votes of the campaigners for a slot: accounts and the requests that they approve. */
export type Strategy = (campaign: Campaign) => ReadonlyMap<string, readonly string[]>

export interface Evening {
  /** A number in [0, 1), always the same one for equal parts. */
  draw: (...parts: (string | number)[]) => number
  others: number
  slots: number
  waiting: number
  /** The part of the waiting requests that rules forbid in a slot. */
  forbidden: number
  /** The part of the requests that the campaigners like. */
  taste: number
  /** A key for each account of the campaigners; several on one network have the same. */
  networkOf: (account: string) => string
}

/**
 * Returns how many aired requests the campaigners like. Requests, tastes and rules are the same for each strategy; only
 * the votes of the campaigners differ, and what follows from them.
 */
export function likedSlots(evening: Evening, strategy: Strategy): number {
  const { draw, others, slots, forbidden, taste } = evening
  const viewers = Array.from({ length: others }, (_, index) => `viewer ${index}`)
  const likes = (viewer: string, id: string) => draw('taste', viewer, id) < draw('appeal', id)
  const isLiked = (id: string) => draw('campaign', id) < taste
  let made = 0
  let liked = 0
  let state: VoteState = []
  let waiting: (WaitingRequest & { fans: string[]; isLiked: boolean })[] = []
  for (let slot = 0; slot < slots; slot += 1) {
    for (; waiting.length < evening.waiting; made += 1) {
      const id = `r${made}`
      waiting.push({
        ...requestOf(id, made),
        fans: viewers.filter((viewer) => likes(viewer, id)),
        isLiked: isLiked(id),
      })
    }
    const seen = waiting.map((one) => ({ id: one.id, isLiked: one.isLiked, othersLiking: one.fans.length }))
    const vote = (account: string, network: string, requestId: string): Vote => ({
      account,
      network,
      requestId,
      votedAtMs: slot,
    })
    const votes = [
      ...waiting.flatMap(({ id, fans }) => fans.map((viewer) => vote(viewer, viewer, id))),
      ...[...strategy({ slot, slots, state, waiting: seen })].flatMap(([account, approved]) =>
        approved.map((id) => vote(account, evening.networkOf(account), id)),
      ),
    ]
    const { winner, state: next } = playVoteSlot(
      state,
      votes,
      waiting,
      (id) => draw('rule', id, slot) >= forbidden,
    )
    state = next
    if (winner === undefined) continue
    if (isLiked(winner.id)) liked += 1
    waiting = waiting.filter(({ id }) => id !== winner.id)
  }
  return liked
}
