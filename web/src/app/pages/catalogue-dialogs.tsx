import { type useVideoDialogs, VideoDialogs } from '../../features/videos/video-dialogs.tsx'
import { part } from '../../lib/browser/part.tsx'
import { usePreload } from '../../lib/browser/use-preload.ts'

const CatalogueActions = part(async () => (await import('./catalogue-actions.tsx')).CatalogueActions)

/** The details and the player of a video of the catalogue. Their code is loaded after the page. */
export function CatalogueDialogs({ dialogs }: { dialogs: ReturnType<typeof useVideoDialogs> }) {
  usePreload(CatalogueActions.preload)
  return <VideoDialogs dialogs={dialogs} actions={(video) => <CatalogueActions video={video} />} />
}
