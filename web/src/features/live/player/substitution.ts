import type { PlayerErrorKind } from '../../../lib/media/player-error-kind.ts'
import type { Loaded } from './fault-handler.ts'
import type { LiveVideoProgramme, Substitute } from './live-state.ts'

/** What is played of a programme: its own video, or the substitute from the same offset. */
export const playedProgramme = (programme: LiveVideoProgramme, { substitute }: Loaded): LiveVideoProgramme =>
  substitute ? { ...programme, video: substitute } : programme

/**
 * Whether another video may be played instead of the one that has failed: only if the programme's video is not available
 * to this viewer (YouTube 101, 150). Other faults affect every viewer, and the station replaces the video for all.
 */
export const isReplaceable = ({ programme, substitute }: Loaded, fault: PlayerErrorKind): boolean =>
  !programme.isLive && (substitute !== undefined || fault === 'not-embeddable')

/** The instant (server epoch ms) until which a substitute is played: the end of the programme, or its own. */
export const substituteEndsAtMs = (
  { startsAtMs, endsAtMs }: Pick<LiveVideoProgramme, 'startsAtMs' | 'endsAtMs'>,
  { durationMs }: Substitute,
): number => Math.min(endsAtMs, startsAtMs + durationMs)

/**
 * Takes the next substitute of a programme that is not over at `nowMs()` (server epoch ms); undefined if none is left.
 * `find` is called once per programme.
 */
export async function nextSubstitute(
  loaded: Loaded,
  find: (programme: LiveVideoProgramme) => Promise<readonly Substitute[]>,
  nowMs: () => number,
): Promise<Substitute | undefined> {
  loaded.substitutes ??= [...(await find(loaded.programme))]
  const { programme, substitutes } = loaded
  const index = substitutes.findIndex((video) => substituteEndsAtMs(programme, video) > nowMs())
  return index < 0 ? undefined : substitutes.splice(0, index + 1).at(-1)
}
