import { useEffect } from 'react'
import { useBrand } from '../../lib/api/use-config.ts'

/**
 * Shows the current video in the document title and the system's media controls. No action handlers are set: the
 * browser pauses the player directly, and the player reports it.
 */
export function useProgrammeTitle(
  title: string | undefined,
  artistName: string | undefined,
  thumbnailUrl: string | null | undefined,
): void {
  const { name, shortName } = useBrand()
  useEffect(() => {
    document.title = title
      ? `${title} – ${artistName} | ${shortName}`
      : `Continuous Live Stream | ${shortName}`
  }, [title, artistName, shortName])
  useEffect(() => {
    if (!title || !('mediaSession' in navigator)) return
    navigator.mediaSession.metadata = new MediaMetadata({
      title,
      artist: artistName ?? shortName,
      album: name,
      artwork: thumbnailUrl ? [{ src: thumbnailUrl }] : [],
    })
    return () => {
      navigator.mediaSession.metadata = null
    }
  }, [title, artistName, thumbnailUrl, name, shortName])
}
