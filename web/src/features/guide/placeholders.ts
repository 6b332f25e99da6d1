import type { Programme } from '@looptide/contracts/http/channels'
import type { GuideBlock, GuideRow } from '@looptide/contracts/http/guide'
import { HOUR_MS } from './guide-time.ts'

/** Viewer specification §4, §9: an empty or failed answer is shown as 12 programmes of one hour. */
const PLACEHOLDERS = 12

/** What is shown of a programme: of a real one, or of a placeholder, which has no video to keep. */
export type ShownProgramme = Pick<Programme, 'id' | 'channelId' | 'startsAtMs' | 'endsAtMs'> & {
  videoId: string | null
  video: Pick<Programme['video'], 'title' | 'artistName' | 'genre' | 'description' | 'thumbnailUrl'>
}

/** The stream goes on although nobody can say with what. Texts: viewer specification §2 and §3. */
export function placeholderBlocks(fromMs: number, artistName: string): GuideBlock[] {
  return Array.from({ length: PLACEHOLDERS }, (_, index) => ({
    id: `placeholder.${fromMs / HOUR_MS + index}`,
    startsAtMs: fromMs + index * HOUR_MS,
    endsAtMs: fromMs + (index + 1) * HOUR_MS,
    trackCount: 1,
    artists: [artistName],
    artistCount: 1,
    title: 'Continuous Live Stream',
  }))
}

export const isPlaceholder = ({ id }: GuideBlock): boolean => id.startsWith('placeholder.')

export function placeholderProgramme(channelId: string, block: GuideBlock): ShownProgramme {
  const { id, startsAtMs, endsAtMs, title, artists } = block
  return {
    id,
    channelId,
    startsAtMs,
    endsAtMs,
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

/** The row of the default channel when the guide could not be had at all. */
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
  }
}
