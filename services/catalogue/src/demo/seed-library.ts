import { parseDuration } from '@looptide/playhead/duration'
import { type Static, Type } from 'typebox'
import type { NewVideo } from '../features/videos/video-repository.ts'
import type { VideoService } from '../features/videos/video-service.ts'
import { embedUrl, thumbnailUrl } from '../features/videos/video-url.ts'
import { DEMO_VIDEOS, demoVideoId, testCardVideoId } from './demo-videos.ts'

/** Schema of `web/public/test-card/index.json`, the clips in this repository. */
export const TestCardIndex = Type.Array(
  Type.Object({
    file: Type.String({ pattern: '^[A-Za-z0-9._-]+$' }),
    title: Type.String(),
    artistName: Type.String(),
    durationMs: Type.Integer({ minimum: 1 }),
  }),
)
type TestCardIndex = Static<typeof TestCardIndex>

const common = {
  artistGiven: true,
  description: null,
  durationAssumed: false,
  metadataStatus: 'resolved' as const,
  unavailableReason: null,
  userId: null,
}

/** Test Card clips are private: they play on their own channel and are not part of the public library. */
const testCardVideos = (index: TestCardIndex): NewVideo[] =>
  index.map(({ file, title, artistName, durationMs }) => ({
    ...common,
    id: testCardVideoId(file),
    title,
    artistName,
    genre: 'Test Card',
    category: null,
    durationMs,
    thumbnailUrl: `/test-card/${file.replace(/\.[^.]+$/, '.jpg')}`,
    videoUrl: `/test-card/${file}`,
    youtubeId: null,
    isPublic: false,
  }))

const musicVideos = (): NewVideo[] =>
  DEMO_VIDEOS.map(({ youtubeId, title, artistName, genre, duration, category }) => ({
    ...common,
    id: demoVideoId(youtubeId),
    title,
    artistName,
    genre,
    category,
    durationMs: parseDuration(duration) ?? Number.NaN,
    thumbnailUrl: thumbnailUrl(youtubeId),
    videoUrl: embedUrl(youtubeId),
    youtubeId,
    isPublic: true,
  }))

/**
 * Adds the demo videos to a library, once in the life of its database: videos that were deleted do not return. Existing
 * videos stay unchanged. Returns the number of new ones.
 */
export const seedLibrary = (videos: VideoService, index: TestCardIndex): Promise<number> =>
  videos.addResolved([...testCardVideos(index), ...musicVideos()], {}, 'demo-library')
