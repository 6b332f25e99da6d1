import { readEarlyHome } from '../../features/home/api.ts'
import { HomeView } from '../../features/home/home-view.tsx'
import { useVideoDialogs } from '../../features/videos/video-dialogs.tsx'
import { CatalogueDialogs } from './catalogue-dialogs.tsx'

/** Home: the catalogue with details and player dialogs. */
function HomePage() {
  const dialogs = useVideoDialogs()
  return (
    <>
      <HomeView isCovered={dialogs.shown !== null} onPlay={dialogs.play} onDetails={dialogs.showDetails} />
      <CatalogueDialogs dialogs={dialogs} />
    </>
  )
}

/** The page, once it can show what the start script has requested for it. */
export async function loadHomePage() {
  await readEarlyHome()
  return HomePage
}
