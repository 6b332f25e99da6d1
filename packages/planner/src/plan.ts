import type { RequestQueue } from '@looptide/contracts/events/audience'
import type { ProgrammeRequest } from '@looptide/contracts/events/stream'
import type { AiredBefore } from '@looptide/contracts/http/channels'
import type { IdentKind, ScheduleDocument } from '@looptide/contracts/schedule'
import type { Currency } from '@looptide/fairness/ranking'
import type { LoadedBallot } from '@looptide/fairness/water-level'
import type { SlotPosition } from './clock-cursor.ts'
import type { Airing, LibraryVideo, PlaylistItem } from './library.ts'
import type { EditTrace, LogOperation } from './log-edits.ts'
import type { BrokenRule, RelaxableRule } from './rules.ts'
import type { SourceState } from './source-state.ts'

/**
 * A schedule as it is planned. `defaultClock`: of the time outside blocks, whose only source is the default one in published
 * documents. The loop of a channel has one if it plays viewers' requests.
 */
export interface PlannedDocument extends ScheduleDocument {
  defaultClock?: string
}

/** Everything that a plan depends on. Equal inputs give equal plans, on every machine. */
export interface PlanInput {
  document: PlannedDocument
  library: readonly LibraryVideo[]
  /** Playlists by channel id; `''` is the planned channel's own. */
  playlists: ReadonlyMap<string, readonly PlaylistItem[]>
  /** Viewers' requests. Without it, slots for requests use their fallbacks. */
  requests?: RequestInput
  /** At least the last airing of each video, and all airings of the current local date; in order. */
  history: readonly Airing[]
  seed: string
  /** State at the end of the previous plan; null begins every source from the start. */
  state: PlanState | null
  /** Epoch ms. The plan starts exactly at `fromMs`, and ends at or after `toMs` with the end of a programme. */
  fromMs: number
  toMs: number
  /** Maximum number of programmes, even if `toMs` is not reached. */
  max?: number
  /** After an edit: items of the programmes planned so far, from `fromMs` on. They keep their order as far as possible. */
  planned?: readonly string[]
  /** The programme before `fromMs`, if it may be of other programming. Its video may have left the sources. */
  previous?: PreviousProgramme
  /** Changes of single programmes, the oldest one first. */
  edits?: readonly LogOperation[]
}

export type QueuedRequest = RequestQueue['requests'][number]

/** A request that was decided with an earlier plan, in a part of it that is planned again. */
export type DecidedRequest = ProgrammeRequest & { videoId: string }

/** A queue of waiting requests, with the ballots that choose from it. Ballots approve requests by id. */
export interface RequestInput {
  sequence: number
  requests: readonly QueuedRequest[]
  turns: readonly LoadedBallot[]
  votes: readonly LoadedBallot[]
  /** The requests that programmes before the plan have taken from this queue, in their order. They are charged. */
  taken: readonly { id: string; currency: Currency }[]
  /** Requests that are decided, in the order of their programmes: they come first in slots before `decidedUntilMs`. */
  decided: readonly DecidedRequest[]
  /** Epoch ms. */
  decidedUntilMs: number
  /**
   * Slots that start before this (epoch ms) take only decided requests: what they air instead has been announced, and a
   * request would be on before viewers can know it.
   */
  announcedUntilMs?: number
}

/**
 * Why a request is passed over: a rule of the channel; `hardStart`, because it would end too late; or `notPlayable`, because
 * the channel cannot play its video any more.
 */
export type RequestRule = BrokenRule | 'hardStart' | 'notPlayable'

/** A waiting request that a rule forbids until `untilMs` (epoch ms); null if that is not known. */
export interface BlockedRequest {
  id: string
  rule: RequestRule
  untilMs: number | null
}

export interface PreviousProgramme {
  /** The item after which a source without a state continues; null if it begins from the start. */
  itemId: string | null
  /** The video that a source without a state counts as played; null if it may repeat it. */
  videoId: string | null
  artist: string
}

/** The state from which planning continues. It contains no times and can be stored as JSON. */
export interface PlanState {
  sources: Readonly<Record<string, SourceState>>
  slot: SlotPosition | null
}

/** The origin of a programme: its block or special, slot and source, and the relaxed rules. */
export interface ProgrammeReason {
  blockId: string | null
  specialId: string | null
  /** Index of the slot in the block's clock; null without a clock. */
  slot: number | null
  /** Null for idents and countdowns. */
  source: string | null
  /** The video's place in a slot of several videos, from 1, and their number; else null. */
  number: number | null
  count: number | null
  /** Soft rules that were relaxed, the most important one first. */
  relaxed: RelaxableRule[]
  /** What log edits have changed at this programme. */
  edit?: EditTrace
  /** The viewer's request that it is. */
  request?: ProgrammeRequest
  /** The past programme that it airs again. */
  again?: AiredBefore
}

export interface ScheduledProgramme {
  kind: 'video' | 'ident' | 'countdown'
  ident: IdentKind | null
  itemId: string | null
  videoId: string | null
  startsAtMs: number
  endsAtMs: number
  /** The programme ends before its video does, because a hard start follows and nothing fitted. */
  isCutShort: boolean
  /** The first video of a cycle of its source. False if items may be skipped, so that cycles overlap. */
  startsCycle: boolean
  reason: ProgrammeReason
}

export interface SchedulePlan {
  programmes: ScheduledProgramme[]
  /** The state from which planning continues after the last programme. */
  state: PlanState
  /** The requests that a rule forbids and that are not in the plan; missing without requests. */
  blocked?: readonly BlockedRequest[]
}

/** The data of a programme that a replay needs. */
export type ReplayedProgramme = Pick<ScheduledProgramme, 'itemId' | 'videoId' | 'startsAtMs' | 'endsAtMs'> & {
  reason: Pick<ProgrammeReason, 'slot' | 'source' | 'edit'>
  /** Null if it is not known. */
  startsCycle: boolean | null
  /** It begins within its video. If that was its source's last one, it is the rest of it. */
  isResumed?: boolean
  /** The rest of the programme before, which was interrupted: it is not taken from its source again. */
  isRest?: boolean
  /** The channel returned to its schedule with this programme: the items before it in its source were skipped. */
  isJoined?: boolean
}
