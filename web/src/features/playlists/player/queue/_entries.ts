import type { QueueEntry } from './queue.ts'

/** Deterministic queue entries for tests. */
export const someEntries = (count: number): QueueEntry[] =>
  Array.from({ length: count }, (_, index) => ({
    key: `entry-${index}`,
    video: {
      id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      title: `Video ${index}`,
      artistName: 'Artist',
      description: null,
      genre: null,
      category: null,
      duration: '3:00',
      durationMs: 180_000,
      durationAssumed: false,
      startAtMs: 0,
      endAtMs: null,
      tags: [],
      thumbnailUrl: null,
      videoUrl: 'https://www.youtube.com/embed/aaaaaaaaaaa',
      youtubeId: 'aaaaaaaaaaa',
      isPublic: true,
      metadataStatus: 'resolved',
      unavailableReason: null,
      viewCount: 0,
      likeCount: 0,
      createdAt: '2026-01-01T00:00:00.000Z',
    },
  }))
