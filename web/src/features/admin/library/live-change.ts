import type { ChannelLoop } from '@looptide/contracts/http/simulation'
import { formatDuration } from '@looptide/playhead/duration'
import { countedVideos } from '../desk/counted-videos.ts'

type Change = { before: ChannelLoop; after: ChannelLoop }

const listText = ({ videosCount, durationMs }: ChannelLoop): string =>
  `${countedVideos(videosCount)} (${formatDuration(durationMs)})`

/** What adding videos to the live playlist changes for viewers, in a sentence. */
export function liveChangeText({ before, after }: Change): string {
  const isFallback = before.source === 'library'
  if (after.source === 'library') {
    return `None of the selected videos can be played: the live channel continues to play ${publicVideos(before)}.`
  }
  if (isFallback) {
    const instead = before.videosCount === 0 ? '' : ` instead of ${publicVideos(before)}`
    return `The live channel will play only these ${listText(after)} in a loop${instead}.`
  }
  return `The live channel will play ${listText(after)} in a loop instead of ${listText(before)}.`
}

/** The videos that the default channel plays without a playlist. */
export const publicVideos = ({ videosCount }: Pick<ChannelLoop, 'videosCount'>): string =>
  videosCount === 1 ? 'the only public video' : `all ${videosCount} public videos`

/** How many of the selected videos would not be played, in a sentence; null if all would. */
export function unplayableText({ before, after }: Change, selectedCount: number): string | null {
  if (after.source === 'library') return null
  const added = after.videosCount - (before.source === 'library' ? 0 : before.videosCount)
  const left = selectedCount - added
  return left > 0 ? `${left} of the selected videos cannot be played and will be left out.` : null
}
