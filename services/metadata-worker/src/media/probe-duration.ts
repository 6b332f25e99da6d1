import { HLS_FORMATS, Input, MATROSKA, MP4, UnsupportedInputFormatError, UrlSource, WEBM } from 'mediabunny'
import { mediaFetch, UnreadableMediaError } from './media-fetch.ts'

/** Headers and indexes of a film of hours take a few MB. */
const MOST_BYTES = 33_554_432
const CACHE_BYTES = 8_388_608
const TIMEOUT_MS = 30_000
/** A day, the longest that a programme can be. */
const LONGEST_MS = 86_400_000

/**
 * The duration of an MP4, WebM or HLS file in ms, read by HTTP ranges from a few MB of it.
 *
 * @param origins what may be asked, see {@link mediaFetch}
 * @throws UnreadableMediaError when another attempt cannot help; other errors (timeout, 5xx, no connection) may pass
 */
export async function probeDuration(url: URL, origins: readonly string[]): Promise<number> {
  const deadline = AbortSignal.timeout(TIMEOUT_MS)
  const fetchFn = mediaFetch({ origins, bytes: MOST_BYTES, signal: deadline })
  const source = new UrlSource(url, {
    fetchFn,
    // BullMQ repeats the whole job, with pauses.
    getRetryDelay: () => null,
    maxCacheSize: CACHE_BYTES,
    handleUnhandledError: () => undefined,
  })
  const input = new Input({ source, formats: [...new Set([MP4, WEBM, MATROSKA, ...HLS_FORMATS])] })
  const late = new Promise<never>((_resolve, reject) => {
    deadline.addEventListener('abort', () => reject(new Error('the media server did not answer in time')))
  })
  try {
    return await Promise.race([readDuration(input), late])
  } catch (error) {
    if (error instanceof UnsupportedInputFormatError) {
      throw new UnreadableMediaError('this is no MP4, WebM or HLS file', { cause: error })
    }
    throw error
  } finally {
    input.dispose()
  }
}

async function readDuration(input: Input): Promise<number> {
  const isLive = (await Promise.all((await input.getTracks()).map((track) => track.isLive()))).some(Boolean)
  if (isLive) throw new UnreadableMediaError('a live stream has no duration')
  const known = await input.getDurationFromMetadata()
  const seconds = known !== null && known > 0 ? known : await input.computeDuration()
  const durationMs = Math.round(seconds * 1000)
  if (!(durationMs >= 1 && durationMs <= LONGEST_MS)) {
    throw new UnreadableMediaError(`its duration is ${seconds} s`)
  }
  return durationMs
}
