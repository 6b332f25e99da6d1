import type { ScheduleDocument, Slot } from '@looptide/contracts/schedule'

/** What a block, a block of an override or a special plays. */
interface Content {
  clock?: string
  source?: string
}
type NamedContent = Content & { name: string }

const contentsOf = ({ blocks = [], overrides = [], specials = [] }: ScheduleDocument): NamedContent[] => [
  ...blocks,
  ...overrides.flatMap((override) => override.blocks),
  ...specials,
]

const slotUses = (slot: Slot, source: string): boolean =>
  'source' in slot && (slot.source === source || slot.fallback === source)

/** Where a source is used, as texts: names of clocks, blocks and specials, and "Default source". */
export function usesOfSource(document: ScheduleDocument, source: string): string[] {
  const clocks = Object.entries(document.clocks ?? {})
    .filter(([, slots]) => slots.some((slot) => slotUses(slot, source)))
    .map(([name]) => `clock ${name}`)
  const contents = contentsOf(document).filter((content) => content.source === source)
  return [
    ...(document.defaultSource === source ? ['default source'] : []),
    ...clocks,
    ...new Set(contents.map(({ name }) => name)),
  ]
}

/** Names of the blocks and specials that use a clock. */
export const usesOfClock = (document: ScheduleDocument, clock: string): string[] => [
  ...new Set(contentsOf(document).flatMap((content) => (content.clock === clock ? [content.name] : []))),
]

type Rename = (name: string) => string

/** Renames sources and clocks wherever the document refers to them. */
function withNames(document: ScheduleDocument, source: Rename, clock: Rename): ScheduleDocument {
  const content = <T extends Content>(item: T): T => ({
    ...item,
    ...(item.source !== undefined && { source: source(item.source) }),
    ...(item.clock !== undefined && { clock: clock(item.clock) }),
  })
  const slot = (one: Slot): Slot =>
    'source' in one
      ? {
          ...one,
          source: source(one.source),
          ...(one.fallback !== undefined && { fallback: source(one.fallback) }),
        }
      : one
  const keys = <T>(record: Record<string, T>, rename: Rename) =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [rename(name), value]))
  const clocks = Object.fromEntries(
    Object.entries(document.clocks ?? {}).map(([name, slots]) => [clock(name), slots.map(slot)]),
  )
  return {
    ...document,
    defaultSource: source(document.defaultSource),
    sources: keys(document.sources, source),
    clocks,
    blocks: document.blocks?.map(content) ?? [],
    specials: document.specials?.map(content) ?? [],
    overrides:
      document.overrides?.map((override) => ({ ...override, blocks: override.blocks.map(content) })) ?? [],
  }
}

const renaming =
  (from: string, to: string): Rename =>
  (name) =>
    name === from ? to : name
const unchanged: Rename = (name) => name

/** The document with a source renamed everywhere it is used. */
export const renameSource = (document: ScheduleDocument, from: string, to: string): ScheduleDocument =>
  withNames(document, renaming(from, to), unchanged)

/** The document with a clock renamed everywhere it is used. */
export const renameClock = (document: ScheduleDocument, from: string, to: string): ScheduleDocument =>
  withNames(document, unchanged, renaming(from, to))
