import type { GuideBlock, GuideRow, GuideTrack } from '@looptide/contracts/http/guide'
import { useActiveChannels } from '../../lib/api/use-active-channels.ts'
import { useConfig } from '../../lib/api/use-config.ts'
import type { useStationGuide } from './api.ts'
import { isOnAir } from './guide-time.ts'
import { placeholderBlocks, placeholderRow } from './placeholders.ts'
import type { ShownSpecial } from './specials-panel.tsx'

/** docs/product/viewer.md §2: the name of the default channel's row. */
const DEFAULT_ROW_TITLE = '24/7 Live Stream'

/** A channel in the guide. */
export interface ShownRow {
  row: GuideRow
  /** The channel's place among all, from 1 on. */
  number: number
  /** The name of the row: '24/7 Live Stream' for the default channel. */
  title: string
  logoUrl: string | undefined
  isWatched: boolean
  blocks: readonly GuideBlock[]
}

/** The rows with their names, and placeholders for missing programmes of the default channel (docs/product/viewer.md §4). */
export function useShownRows(
  guide: ReturnType<typeof useStationGuide>,
  watchedId: string,
  nowMs: number,
): ShownRow[] | undefined {
  const { defaultChannelId, brand } = useConfig()
  const { rows, hasFailed, fromMs } = guide
  const logos = new Map(useActiveChannels().data?.map(({ id, logoUrl }) => [id, logoUrl ?? undefined]))
  if (!rows && !hasFailed) return undefined
  const known = rows && rows.length > 0 ? rows : [placeholderRow(defaultChannelId, fromMs, brand.shortName)]
  return known.map((row, index) => {
    const isDefault = row.channelId === defaultChannelId
    const isEmpty = isDefault && row.blocks.length === 0 && fromMs <= nowMs
    return {
      row,
      number: index + 1,
      title: isDefault ? DEFAULT_ROW_TITLE : row.name,
      logoUrl: logos.get(row.channelId),
      isWatched: row.channelId === watchedId,
      blocks: isEmpty ? placeholderBlocks(fromMs, brand.shortName) : row.blocks,
    }
  })
}

/** The block of a row that is on now, and its programme. */
export function onAirOf(
  { row, blocks }: ShownRow,
  nowMs: number,
): {
  block: GuideBlock | undefined
  track: GuideTrack | undefined
} {
  const block = blocks.find((one) => isOnAir(one, nowMs))
  const track = row.nowAndNext.find((one) => isOnAir(one, nowMs))
  return { block, track: block && track }
}

/** The specials of all channels, by time. */
export const specialsOf = (rows: readonly ShownRow[]): ShownSpecial[] =>
  rows
    .flatMap(({ row, title }) =>
      row.specials.map((special) => ({ channelId: row.channelId, channelTitle: title, special })),
    )
    .toSorted((a, b) => a.special.startsAtMs - b.special.startsAtMs)
