import { HLS_FORMATS, Input, MATROSKA, MP4, UnsupportedInputFormatError, UrlSource, WEBM } from 'mediabunny'
import { mediaFetch, UnreadableMediaError } from './media-fetch.ts'

/** Maximum bytes read from one file. The headers and indexes of a film of several hours take a few MB. */
const MAX_BYTES = 33_554_432
const CACHE_BYTES = 8_388_608
const TIMEOUT_MS = 30_000
/** Maximum duration of a programme: one day. */
const MAX_DURATION_MS = 86_400_000

/**
 * Reads the duration of an MP4, WebM or HLS file, in ms, with HTTP range requests for a few MB of it.
 *
 * @param origins the allowed origins, see {@link mediaFetch}
 * @throws UnreadableMediaError for permanent errors; other errors (timeout, 5xx, no connection) are transient
 */
export async function probeDuration(url: URL, origins: readonly string[]): Promise<number> {
  const deadline = AbortSignal.timeout(TIMEOUT_MS)
  const fetchFn = mediaFetch({ origins, bytes: MAX_BYTES, signal: deadline })
  const source = new UrlSource(url, {
    fetchFn,
    // No retries here: BullMQ retries the whole job with a backoff.
    getRetryDelay: () => null,
    maxCacheSize: CACHE_BYTES,
    handleUnhandledError: () => undefined,
  })
  const input = new Input({ source, formats: [...new Set([MP4, WEBM, MATROSKA, ...HLS_FORMATS])] })
  const timeout = new Promise<never>((_resolve, reject) => {
    deadline.addEventListener('abort', () => reject(new Error('media server timed out')))
  })
  try {
    return await Promise.race([readDuration(input), timeout])
  } catch (error) {
    if (error instanceof UnsupportedInputFormatError) {
      throw new UnreadableMediaError('the file is not MP4, WebM or HLS', { cause: error })
    }
    throw error
  } finally {
    input.dispose()
  }
}

async function readDuration(input: Input): Promise<number> {
  const isLive = (await Promise.all((await input.getTracks()).map((track) => track.isLive()))).some(Boolean)
  if (isLive) throw new UnreadableMediaError('a live stream has no duration')
  const stated = await input.getDurationFromMetadata()
  const seconds = stated !== null && stated > 0 ? stated : await input.computeDuration()
  const durationMs = Math.round(seconds * 1000)
  if (!(durationMs >= 1 && durationMs <= MAX_DURATION_MS)) {
    throw new UnreadableMediaError(`the duration of ${seconds} s is out of range`)
  }
  return durationMs
}
