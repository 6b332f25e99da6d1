import {
  REQUEST_SOURCES,
  type RequestSlot,
  type ScheduleDocument,
  type Slot,
  VOTES_SOURCE,
} from '@looptide/contracts/schedule'
import type { Currency } from '@looptide/fairness/ranking'
import type { Segment } from './grid.ts'
import type { PlannedDocument } from './plan.ts'

/** Maximum number of other sources of a clock that replace one without videos. */
const MAX_OTHER_SOURCES = 6

/** The clock of a segment; undefined if it plays a source. */
export function clockOf(document: PlannedDocument, { item }: Segment): readonly Slot[] | undefined {
  const name = item === null ? document.defaultClock : item.clock
  return name === undefined ? undefined : document.clocks?.[name]
}

/**
 * When the clock of a segment began, in epoch ms. That of the time outside blocks goes on: where such a segment begins depends
 * on where the plan begins.
 */
export const clockStartOf = ({ item, occurrenceMs }: Segment): number => (item === null ? 0 : occurrenceMs)

/** The sources that may fill a slot: its own, its fallback, the others of the block, the channel's default. */
export function sourcesOf(document: PlannedDocument, segment: Segment, slot: Slot | null): string[] {
  const ofSlot = slot !== null && 'source' in slot ? [slot.source, slot.fallback] : [segment.item?.source]
  const ofClock = (clockOf(document, segment) ?? []).flatMap((other) =>
    'source' in other && !isRequestSource(document, other.source) ? [other.source] : [],
  )
  const others = [...new Set(ofClock)].filter((name) => !ofSlot.includes(name)).slice(0, MAX_OTHER_SOURCES)
  const names = [...ofSlot, ...others, document.defaultSource]
  return [...new Set(names.filter((name) => name !== undefined))]
}

/** The currency in which a source chooses viewers' requests; undefined for a source of videos. */
export function requestCurrency(document: ScheduleDocument, name: string): Currency | undefined {
  if (!isRequestSource(document, name)) return undefined
  return name === VOTES_SOURCE ? 'vote' : 'turn'
}

/** Whether a name of a slot stands for viewers' requests. */
export const isRequestSource = ({ sources }: ScheduleDocument, name: string): boolean =>
  REQUEST_SOURCES.includes(name) && !Object.hasOwn(sources, name)

/** How the slots of the clocks choose viewers' requests; empty without such slots. */
export function requestSlotsOf(document: ScheduleDocument): RequestSlot[] {
  const currencies = new Set(
    Object.values(document.clocks ?? {})
      .flat()
      .map((slot) => ('source' in slot ? requestCurrency(document, slot.source) : undefined)),
  )
  return [
    ...(currencies.has('turn') ? ['turns' as const] : []),
    ...(currencies.has('vote') ? ['votes' as const] : []),
  ]
}

/** Whether a clock has a slot for viewers' requests. */
export const hasRequestSlot = (document: ScheduleDocument): boolean => requestSlotsOf(document).length > 0

/** Whether something may keep a source from playing its items one after the other: rules, or hard starts. */
export function maySkip({
  rules,
  exclusions = [],
  blocks = [],
  overrides = [],
  specials = [],
  sources,
}: ScheduleDocument) {
  const hasQueries = Object.values(sources).some(
    (source) => 'where' in source && (source.where.notAiredForHours ?? 0) > 0,
  )
  const lists = [Object.values(rules ?? {}), exclusions, blocks, overrides, specials]
  return hasQueries || lists.some((list) => list.length > 0)
}

/** Whether a plan depends on what has aired before it. */
export function dependsOnHistory(document: ScheduleDocument): boolean {
  return (
    maySkip(document) ||
    Object.values(document.sources).some(
      (source) => 'order' in source && source.order === 'leastRecentlyAired',
    )
  )
}
