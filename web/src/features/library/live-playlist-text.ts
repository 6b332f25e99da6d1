import type { ChannelLoop } from '@looptide/contracts/http/loops'
import type { SimulatedSchedule } from '@looptide/contracts/http/simulation'
import { formatDuration } from '@looptide/playhead/duration'
import { countText } from '../../lib/count-text.ts'
import { dayAndTime } from '../../lib/time/date-locale.ts'
import { publicVideosText, videoCountText } from '../admin/video-texts.ts'

interface Change {
  before: ChannelLoop
  after: ChannelLoop
}

const listText = ({ videosCount, durationMs }: ChannelLoop): string =>
  `${videoCountText(videosCount)} (${formatDuration(durationMs)})`

/** Describes what viewers will see after videos are added to the live playlist. */
export function liveChangeText({ before, after }: Change): string {
  const isFallback = before.source === 'library'
  if (after.source === 'library') {
    const rest =
      before.videosCount === 0 ? 'has nothing to play' : `keeps playing ${publicVideosText(before)}`
    return `None of the selected videos can be played. The live channel ${rest}.`
  }
  if (isFallback) {
    const instead = before.videosCount === 0 ? '' : ` instead of ${publicVideosText(before)}`
    return `The live channel will play only ${theseVideos(after)} in a loop${instead}.`
  }
  return `The live channel will play ${listText(after)} in a loop instead of ${listText(before)}.`
}

/** "this video (3:33)" or "these 2 videos (7:06)". */
const theseVideos = (loop: ChannelLoop): string =>
  loop.videosCount === 1 ? `this video (${formatDuration(loop.durationMs)})` : `these ${listText(loop)}`

/** Describes how many of the selected videos cannot be played; null if all can. */
export function unplayableText({ before, after }: Change, selectedCount: number): string | null {
  if (after.source === 'library') return null
  const added = after.videosCount - (before.source === 'library' ? 0 : before.videosCount)
  const left = selectedCount - added
  return left > 0 ? `${left} of the selected videos cannot be played and will be left out.` : null
}

/**
 * Describes what adding videos changes on a channel with a schedule: "Night Jazz follows its schedule. These 2 videos
 * air 4 times until Sat 06:00, first at Fri 20:14; without the change, once."
 */
export function scheduledChangeText(
  name: string,
  selectedCount: number,
  { usesPlaylist, airings, airingsBefore, firstAiringMs, plannedUntilMs }: SimulatedSchedule,
): string {
  const follows = `${name} follows its schedule`
  if (!usesPlaylist) return `${follows}, which does not use this playlist. Nothing changes on the air.`
  const [these, verb] =
    selectedCount === 1 ? ['This video', 'airs'] : [`These ${videoCountText(selectedCount)}`, 'air']
  const until = `until ${dayAndTime(plannedUntilMs)}`
  if (firstAiringMs === null) {
    return `${follows}, which plays from this playlist. ${these} will not air ${until}, as far as it is planned.`
  }
  const now = airingsBefore === 0 ? 'not at all' : timesText(airingsBefore)
  const without = airings === airingsBefore ? '' : `; without the change, ${now}`
  return `${follows}. ${these} ${verb} ${timesText(airings)} ${until}, first at ${dayAndTime(firstAiringMs)}${without}.`
}

const timesText = (count: number): string => (count === 1 ? 'once' : countText(count, 'time'))
