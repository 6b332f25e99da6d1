import { readEarlyHome } from '../../features/home/api.ts'
import { HomeView } from '../../features/home/home-view.tsx'
import { AddToListButton } from '../../features/playlists/add-to-list-button.tsx'
import { useVideoDialogs, VideoDialogs } from '../../features/videos/video-dialogs.tsx'

/** Home: the catalogue with details and player dialogs. */
function HomePage() {
  const dialogs = useVideoDialogs()
  return (
    <>
      <HomeView isCovered={dialogs.shown !== null} onPlay={dialogs.play} onDetails={dialogs.showDetails} />
      <VideoDialogs dialogs={dialogs} addToList={(video) => <AddToListButton video={video} />} />
    </>
  )
}

/** The page, once it can show what the start script has requested for it. */
export async function loadHomePage() {
  await readEarlyHome()
  return HomePage
}
