import { HomeView } from '../../features/home/home-view.tsx'
import { AddToListButton } from '../../features/playlists/add-to-list-button.tsx'
import { useVideoDialogs, VideoDialogs } from '../../features/videos/video-dialogs.tsx'

/** Home: the catalogue with details and player dialogs. */
export function HomePage() {
  const dialogs = useVideoDialogs()
  return (
    <>
      <HomeView isCovered={dialogs.shown !== null} onPlay={dialogs.play} onDetails={dialogs.showDetails} />
      <VideoDialogs dialogs={dialogs} addToList={(video) => <AddToListButton video={video} />} />
    </>
  )
}
