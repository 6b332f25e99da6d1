import type { PreviewProgramme, ScheduleReason, ScheduleRemoval } from '@looptide/contracts/http/schedules'
import {
  type IdentKind,
  REQUESTS_SOURCE,
  type ScheduleDocument,
  type Slot,
  type SmartQuery,
  type Source,
  type SourceOrder,
  VOTES_SOURCE,
} from '@looptide/contracts/schedule'
import { durationText } from './times.ts'
import { dateTimeIn } from './zoned-time.ts'

export const IDENT_LABELS: Record<IdentKind, string> = {
  station: 'Station ident',
  next: 'Coming up next',
  previous: 'You just saw',
}

export const ORDER_LABELS: Record<SourceOrder, string> = {
  playlist: 'Playlist order',
  shuffle: 'Shuffled',
  leastRecentlyAired: 'Least recently aired first',
  newestFirst: 'Newest first',
  mostLiked: 'Most liked first',
}

const REQUEST_LABELS: ReadonlyMap<string, string> = new Map([
  [REQUESTS_SOURCE, 'Requests by turns'],
  [VOTES_SOURCE, 'Requests by votes'],
])

/** What people read for a source: its name, unless the name stands for viewers' requests. */
export const sourceLabel = (name: string, sources: readonly string[]): string =>
  sources.includes(name) ? name : (REQUEST_LABELS.get(name) ?? name)

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth']
const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']

/** The name of the block or special of a programme; undefined outside blocks. */
export function blockOf(
  document: ScheduleDocument,
  { blockId, specialId }: Pick<ScheduleReason, 'blockId' | 'specialId'>,
): { name: string; colour?: string } | undefined {
  if (specialId !== null) return document.specials?.find(({ id }) => id === specialId)
  const all = [...(document.blocks ?? []), ...(document.overrides ?? []).flatMap(({ blocks }) => blocks)]
  return blockId === null ? undefined : all.find(({ id }) => id === blockId)
}

/** Why a programme is on: "Friday Night Gold: third of three from gold". */
export function reasonText(document: ScheduleDocument, programme: PreviewProgramme): string {
  const { reason, kind, cut } = programme
  if (kind === 'video' && reason.source === null) return 'Playlist: planned without a schedule'
  const place = blockOf(document, reason)?.name ?? 'Outside blocks'
  return `${place}: ${whatText(reason, kind, Object.keys(document.sources))}${cut ? ', cut short for the next start' : ''}`
}

function whatText(
  { source, number, count }: ScheduleReason,
  kind: PreviewProgramme['kind'],
  sources: readonly string[],
): string {
  if (kind === 'countdown') return 'countdown to the next start'
  if (source === null) return 'ident'
  const label = sourceLabel(source, sources)
  if (number === null || count === null || count < 2) return `from ${label}`
  return `${ORDINALS[number - 1] ?? number} of ${NUMBERS[count - 1] ?? count} from ${label}`
}

/** What a programme is called: the video's title, or the kind of a card. */
export function programmeTitle({ kind, ident, title }: PreviewProgramme): string {
  if (kind === 'countdown') return 'Countdown'
  return title ?? (ident === null ? 'Unknown video' : IDENT_LABELS[ident])
}

/** What a block, a block of a holiday or a special plays. */
export const contentText = ({ clock, source }: { clock?: string; source?: string }): string =>
  clock === undefined ? (source ?? 'nothing yet') : `clock ${clock}`

/** A slot of a clock in a few words; `sources` are the names of the document's. */
export function slotText(slot: Slot, sources: readonly string[]): string {
  if ('ident' in slot) return `${IDENT_LABELS[slot.ident]}, ${durationText(slot.durationMs)}`
  const fallback = slot.fallback === undefined ? '' : `, else ${slot.fallback}`
  const label = sourceLabel(slot.source, sources)
  if ('durationMs' in slot) return `${label} for ${durationText(slot.durationMs)}${fallback}`
  return `${slot.count ?? 1} × ${label}${fallback}`
}

/** What a source provides, in a few words. */
export function sourceText(source: Source, channelName: (id: string) => string): string {
  switch (source.kind) {
    case 'playlist':
      return source.channelId === undefined
        ? 'Playlist of this channel'
        : `Playlist of ${channelName(source.channelId)}`
    case 'video':
      return 'Single video'
    case 'airings': {
      const { length } = source.airings
      return `${length} ${length === 1 ? 'programme' : 'programmes'} of ${channelName(source.channelId)}, again`
    }
    case 'filler':
      return `Filler. ${queryText(source.where)}`
    case 'smart':
      return queryText(source.where)
  }
}

function queryText(where: SmartQuery): string {
  const list = (label: string, texts: readonly string[] | undefined) =>
    texts?.length ? [`${label} ${texts.join(' or ')}`] : []
  const parts = [
    ...list('category', where.categories),
    ...list('tag', where.tags),
    ...list('genre', where.genres),
    ...list('artist', where.artists),
    ...list('not by', where.excludedArtists),
    ...(where.text ? [`“${where.text}” in title or artist`] : []),
    ...(where.minDurationMs ? [`at least ${durationText(where.minDurationMs)}`] : []),
    ...(where.maxDurationMs ? [`at most ${durationText(where.maxDurationMs)}`] : []),
    ...(where.addedWithinDays ? [`added within ${where.addedWithinDays} days`] : []),
    ...(where.notAiredForHours ? [`not aired for ${where.notAiredForHours} h`] : []),
  ]
  return parts.length === 0 ? 'All videos in the library' : `Videos: ${parts.join(', ')}`
}

/** When a publication shows on the air. */
export const effectText = ({ changesFrom }: ScheduleRemoval, timeZone: string): string =>
  changesFrom === null
    ? 'Nothing that is already planned changes.'
    : `On the air from ${dateTimeIn(timeZone, Date.parse(changesFrom))}.`
