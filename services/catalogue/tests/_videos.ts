import { newId } from '@looptide/service-kit/db/ids'
import type { NewVideo } from '../src/features/videos/video-repository.ts'

/** Public videos with complete metadata. */
export const someVideos = (count: number): NewVideo[] =>
  Array.from({ length: count }, (_, n) => {
    const id = newId(Date.now() + n)
    return {
      id,
      title: `Video ${n}`,
      artistName: `Artist ${n % 7}`,
      artistGiven: true,
      description: null,
      genre: null,
      category: null,
      durationMs: 180_000,
      durationAssumed: false,
      thumbnailUrl: null,
      videoUrl: `https://media.example/${id}.mp4`,
      youtubeId: null,
      isPublic: true,
      metadataStatus: 'resolved' as const,
      unavailableReason: null,
      userId: null,
    }
  })
