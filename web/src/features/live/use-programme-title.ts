import { useEffect } from 'react'
import { useBrand } from '../../lib/use-config.ts'

/**
 * Names what is on in the browser's tab and on the machine's own media display. Its keys are left to the browser: a
 * pause from there is an ordinary one, which the player answers.
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
