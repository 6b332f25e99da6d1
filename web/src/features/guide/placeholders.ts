import type { ProgrammeVideo, VideoProgramme } from '@looptide/contracts/http/channels'
import type { GuideBlock, GuideRow } from '@looptide/contracts/http/guide'
import { HOUR_MS } from './guide-time.ts'

/** docs/product/viewer.md §4, §9: an empty or failed response is shown as 12 programmes of one hour. */
const PLACEHOLDERS = 12

/** The shown fields of a programme or placeholder; a placeholder has no video. */
export type ShownProgramme = Pick<
  VideoProgramme,
  'id' | 'channelId' | 'startsAtMs' | 'endsAtMs' | 'block' | 'reason'
> & {
  videoId: string | null
  video: Pick<ProgrammeVideo, 'title' | 'artistName' | 'genre' | 'description' | 'thumbnailUrl'>
}

/** The placeholder blocks. Texts: docs/product/viewer.md §2 and §3. */
export function placeholderBlocks(fromMs: number, artistName: string): GuideBlock[] {
  return Array.from({ length: PLACEHOLDERS }, (_, index) => ({
    id: `placeholder.${fromMs / HOUR_MS + index}`,
    startsAtMs: fromMs + index * HOUR_MS,
    endsAtMs: fromMs + (index + 1) * HOUR_MS,
    trackCount: 1,
    artists: [artistName],
    artistCount: 1,
    title: 'Continuous Live Stream',
    block: null,
  }))
}

/** Whether a block stands for a programme that nobody has scheduled. */
export const isPlaceholder = ({ id }: GuideBlock): boolean => id.startsWith('placeholder.')

/** A placeholder block as a programme, so that its dialog is that of all programmes. It has no video to play. */
export function placeholderProgramme(channelId: string, block: GuideBlock): ShownProgramme {
  const { id, startsAtMs, endsAtMs, title, artists } = block
  return {
    id,
    channelId,
    startsAtMs,
    endsAtMs,
    block: null,
    reason: null,
    videoId: null,
    video: {
      title: title ?? 'Unknown Title',
      artistName: artists[0] ?? 'Unknown Artist',
      genre: 'Music',
      description: 'Live stream content',
      thumbnailUrl: null,
    },
  }
}

/** The default channel's row when the guide could not be loaded. */
export function placeholderRow(channelId: string, fromMs: number, artistName: string): GuideRow {
  return {
    channelId,
    name: artistName,
    description: null,
    status: 'live',
    timelineVersion: 0,
    endsAtMs: null,
    nowAndNext: [],
    blocks: placeholderBlocks(fromMs, artistName),
    specials: [],
  }
}
