import { REQUEST_SOURCES } from '@looptide/contracts/schedule'
import { airingOf, type EditTrace } from '@looptide/planner/log-edits'
import type { ReplayedProgramme } from '@looptide/planner/plan'
import { sql } from 'kysely'
import type { Store } from '../db/schema.ts'
import { LOOP_SOURCE } from './loop-material.ts'

/** A planned programme, as far as a replay needs it. */
export interface ReplayedRow {
  seq: number
  cycleSeq: number
  itemId: string | null
  videoId: string | null
  startsAtMs: number
  endsAtMs: number
  offsetMs: number
  slot: number | null
  source: string | null
  /** What log edits have changed at it. */
  edit: EditTrace | undefined
  /** `loop`: a programme without a reason. `resumed`: the rest of a video that a takeover interrupted. */
  kind: 'loop' | 'scheduled' | 'resumed' | 'takeover'
}

/** ASCII unit and record separators. */
const FIELD = '\u001f'
const RECORD = '\u001e'

/**
 * A channel's programmes with `fromSeq` ≤ seq ≤ `toSeq`, in order. They are sent as one text: parsing the rows of a day
 * one by one takes longer than planning the next hour.
 */
export async function readReplayedRows(
  db: Store,
  channelId: string,
  fromSeq: number,
  toSeq: number,
): Promise<ReplayedRow[]> {
  if (fromSeq > toSeq) return []
  const { rows } = await sql<{ packed: string | null }>`
    select string_agg(
      concat_ws(${FIELD}, seq, round_seq, coalesce(item_id::text, ''), coalesce(video_id::text, ''), starts_at_ms,
                ends_at_ms, offset_ms, coalesce(reason->>'slot', ''),
                case when reason is null then 'loop' when reason ? 'takeover' then 'takeover'
                     when reason ? 'isResumed' then 'resumed' else 'scheduled' end,
                coalesce(reason->>'edit', ''),
                coalesce(reason->>'source', '')),
      ${RECORD} order by seq) as packed
    from programmes where channel_id = ${channelId} and seq between ${fromSeq} and ${toSeq}`.execute(db)
  const packed = rows[0]?.packed
  return packed == null ? [] : packed.split(RECORD).map(unpack)
}

function unpack(record: string): ReplayedRow {
  const [seq, cycleSeq, itemId, videoId, startsAtMs, endsAtMs, offsetMs, slot, kind, edit, ...source] =
    record.split(FIELD)
  return {
    seq: Number(seq),
    cycleSeq: Number(cycleSeq),
    itemId: itemId || null,
    videoId: videoId || null,
    startsAtMs: Number(startsAtMs),
    endsAtMs: Number(endsAtMs),
    offsetMs: Number(offsetMs),
    slot: slot ? Number(slot) : null,
    source: source.join(FIELD) || null,
    edit: edit ? (JSON.parse(edit) as EditTrace) : undefined,
    kind: kind as ReplayedRow['kind'],
  }
}

/**
 * Converts rows for a replay. `before` is the programme before the first row, if it is still stored. In a loop, each item
 * counts as one of its only source, also where a schedule planned it before the channel lost it, except a request.
 */
export function toReplayed(
  rows: readonly ReplayedRow[],
  before: ReplayedRow | undefined,
  isLoop: boolean,
): ReplayedProgramme[] {
  let own = before?.kind === 'takeover' ? undefined : before
  let previous = before
  return rows.map((row) => {
    const { itemId, videoId, startsAtMs, endsAtMs, slot, kind, edit } = row
    const isOwn = kind !== 'takeover'
    const isRequest = row.source !== null && REQUEST_SOURCES.includes(row.source)
    const source = isLoop && !isRequest ? LOOP_SOURCE : row.source
    const startsCycle = own?.kind === 'loop' ? row.cycleSeq !== own.cycleSeq : row.cycleSeq === row.seq
    const replayed: ReplayedProgramme = {
      itemId,
      videoId,
      startsAtMs,
      endsAtMs,
      startsCycle: kind === 'loop' ? startsCycle : null,
      isResumed: kind === 'loop' && row.offsetMs > 0,
      isRest: kind === 'loop' && own !== undefined && isRestOf(own, row),
      isJoined: isOwn && previous?.kind === 'takeover',
      reason: {
        slot,
        source: kind === 'loop' || kind === 'scheduled' ? source : null,
        ...(edit && !isLoop && { edit }),
      },
    }
    if (isOwn) own = row
    previous = row
    return replayed
  })
}

/**
 * Whether a row is the rest of an interrupted one. The source may have begun again with what followed that (a loop that was
 * just shuffled), so it does not know the video as its last one.
 */
function isRestOf(interrupted: ReplayedRow, row: ReplayedRow): boolean {
  if (row.itemId !== interrupted.itemId || row.offsetMs === 0) return false
  const played = row.offsetMs - interrupted.offsetMs
  // Joined in progress, or continued where it was stopped.
  return (
    played === row.startsAtMs - interrupted.startsAtMs ||
    played === interrupted.endsAtMs - interrupted.startsAtMs
  )
}

/** What a row aired, for the rules. */
export const rowAiring = ({ edit, ...row }: ReplayedRow) =>
  airingOf({ ...row, reason: edit ? { edit } : null })
