import type { GuideSpecial, ProgrammeBlock } from '@looptide/contracts/http/channels'
import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { type Segment, segmentsOf, startOfSpecial } from '@looptide/planner/grid'
import { LocalDays } from '@looptide/planner/local-days'
import { LRUCache } from 'lru-cache'
import type { ChannelRow, ProgrammeRow, Store, StoredReason } from '../db/schema.ts'

/** Maximum number of versions of schedules whose blocks are in memory. */
const MAX_VERSIONS = 4000

/** A channel may be deleted and created again with the same id. Its versions then begin again at 1. */
export type ChannelIdentity = Pick<ChannelRow, 'id' | 'createdAt'>

/** The key of a version in a cache. */
export const versionKeyOf = ({ id, createdAt }: ChannelIdentity, version: number): string =>
  `${id} ${createdAt.getTime()} ${version}`

/** The published schedules. */
export interface ScheduleDocuments {
  /** The document of a version; undefined if it is so old that it has been deleted. */
  findDocument(db: Store, channel: ChannelIdentity, version: number): Promise<ScheduleDocument | undefined>
}

/** The blocks and specials of one version, by id. */
interface Blocks {
  blocks: ReadonlyMap<string, ProgrammeBlock>
  specials: ReadonlyMap<string, GuideSpecial>
  document: ScheduleDocument
}

/** A segment of the schedule that a block or special programmes. */
export interface ScheduledBlock extends Pick<Segment, 'startMs' | 'endMs' | 'occurrenceMs' | 'isHardStart'> {
  kind: 'block' | 'special'
  block: ProgrammeBlock
}

/**
 * Names, descriptions and colours of blocks, for the programmes in the timeline cache. Programmes store only ids; a block
 * that is renamed is shown with its new name at once, and one that is deleted as it was when its programmes were planned.
 */
export class BlockCache {
  readonly #db: Store
  readonly #schedules: ScheduleDocuments
  readonly #versions = new LRUCache<string, Blocks>({ max: MAX_VERSIONS })

  constructor(db: Store, schedules: ScheduleDocuments) {
    this.#db = db
    this.#schedules = schedules
  }

  /** Reads the versions that these channels and their programmes refer to. */
  async read(channels: readonly ChannelRow[], programmes: readonly ProgrammeRow[]): Promise<void> {
    const byId = new Map(channels.map((channel) => [channel.id, channel]))
    const wanted = new Map<string, [channel: ChannelRow, version: number]>()
    const want = (channel: ChannelRow | undefined, version: number) => {
      if (channel !== undefined && version > 0) wanted.set(versionKeyOf(channel, version), [channel, version])
    }
    for (const channel of channels) want(channel, channel.scheduleVersion)
    for (const { channelId, reason } of programmes) want(byId.get(channelId), reason?.version ?? 0)
    for (const [key, [channel, version]] of wanted) {
      if (this.#versions.has(key)) continue
      const document = await this.#schedules.findDocument(this.#db, channel, version)
      if (document !== undefined) this.#versions.set(key, blocksOf(document))
    }
  }

  /** The specials of the current version, in order of time. */
  specials(channel: ChannelRow): GuideSpecial[] {
    return [...(this.#versions.get(versionKeyOf(channel, channel.scheduleVersion))?.specials.values() ?? [])]
  }

  /** The blocks and specials of the current version from `fromMs` to `toMs`, without the default source. */
  scheduled(channel: ChannelRow, fromMs: number, toMs: number): ScheduledBlock[] {
    const known = this.#versions.get(versionKeyOf(channel, channel.scheduleVersion))
    if (known === undefined) return []
    return segmentsOf(known.document, fromMs, toMs).flatMap(
      ({ kind, item, startMs, endMs, occurrenceMs, isHardStart }) =>
        item === null || kind === 'default'
          ? []
          : [{ kind, block: present(item), startMs, endMs, occurrenceMs, isHardStart }],
    )
  }

  /** The block of a programme in the current version, or in the version that planned it; a takeover is one, too. */
  find(channel: ChannelRow, reason: StoredReason): ProgrammeBlock | null {
    const { blockId, specialId, version, takeover } = reason
    if (takeover !== undefined) return present({ id: 'takeover', name: takeover.title })
    for (const candidate of [channel.scheduleVersion, version]) {
      const known = this.#versions.get(versionKeyOf(channel, candidate))
      const block = specialId === null ? known?.blocks.get(blockId ?? '') : known?.specials.get(specialId)
      if (block !== undefined) return present(block)
    }
    return null
  }
}

function blocksOf(document: ScheduleDocument): Blocks {
  const { timeZone, blocks = [], overrides = [], specials = [] } = document
  const days = new LocalDays(timeZone)
  const announced = specials
    .map((special): GuideSpecial => {
      const startsAtMs = startOfSpecial(days, special)
      return { ...present(special), startsAtMs, endsAtMs: startsAtMs + special.durationMs }
    })
    .toSorted((a, b) => a.startsAtMs - b.startsAtMs)
  const all = [...overrides.flatMap((override) => override.blocks), ...blocks]
  return {
    document,
    blocks: new Map(all.map((block) => [block.id, present(block)])),
    specials: new Map(announced.map((special) => [special.id, special])),
  }
}

function present({
  id,
  name,
  description,
  colour,
}: Pick<ProgrammeBlock, 'id' | 'name'> & {
  description?: string | null
  colour?: string | null
}): ProgrammeBlock {
  return { id, name, description: description ?? null, colour: colour ?? null }
}
