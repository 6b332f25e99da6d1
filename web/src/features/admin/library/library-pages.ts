import type { Video, VideoPage } from '@looptide/contracts/http/videos'

/**
 * The loaded pages of the library with a video that was added or changed: in its place, or in front of all others
 * if it is new here. With `isPart` the pages are a part of the library in some order: what is new stays out.
 */
export function withVideo(pages: readonly VideoPage[], video: Video, isPart = false): VideoPage[] {
  const isKnown = pages.some((page) => page.items.some(({ id }) => id === video.id))
  if (isKnown) {
    return pages.map((page) => ({
      ...page,
      items: page.items.map((known) => (known.id === video.id ? video : known)),
    }))
  }
  if (isPart) return [...pages]
  return pages.map((page, index) => ({
    ...page,
    total: page.total + 1,
    items: index === 0 ? [video, ...page.items] : page.items,
  }))
}

/** The pages with a video as it was when it was added: what is known of it already is newer, and stays. */
export function withAddedVideo(pages: readonly VideoPage[], video: Video, isPart = false): VideoPage[] {
  const isKnown = pages.some((page) => page.items.some(({ id }) => id === video.id))
  return isKnown ? [...pages] : withVideo(pages, video, isPart)
}

/** The pages without a video. */
export function withoutVideo(pages: readonly VideoPage[], videoId: string): VideoPage[] {
  const isKnown = pages.some((page) => page.items.some(({ id }) => id === videoId))
  return pages.map((page) => ({
    ...page,
    total: isKnown ? page.total - 1 : page.total,
    items: page.items.filter(({ id }) => id !== videoId),
  }))
}
