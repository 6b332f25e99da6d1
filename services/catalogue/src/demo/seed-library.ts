import { parseDuration } from '@looptide/playhead/duration'
import { type Static, Type } from 'typebox'
import type { NewVideo } from '../features/videos/video-repository.ts'
import type { VideoService } from '../features/videos/video-service.ts'
import { embedUrl, thumbnailUrl } from '../features/videos/video-url.ts'
import { DEMO_VIDEOS, demoVideoId, testCardVideoId } from './demo-videos.ts'

/** `web/public/test-card/index.json`: the clips that come with the project. */
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

/** Test Card clips are not public: they belong to their own channel, not to the library's programme. */
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

/** Fills a library with the demo's videos; what is there already stays as it is. Answers how many are new. */
export const seedLibrary = (videos: VideoService, index: TestCardIndex): Promise<number> =>
  videos.addKnown([...testCardVideos(index), ...musicVideos()], {})
