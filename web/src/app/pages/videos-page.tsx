import { useCallback, useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router-dom'
import { readEarlyVideoList, useVideo } from '../../features/videos/api.ts'
import { readListQuery } from '../../features/videos/list-query.ts'
import { useVideoDialogs } from '../../features/videos/video-dialogs.tsx'
import { VideosView } from '../../features/videos/videos-view.tsx'
import { usePageTitle } from '../../lib/browser/use-page-title.ts'
import { paths } from '../../lib/paths.ts'
import { toast } from '../../ui/toast.ts'
import { CatalogueDialogs } from './catalogue-dialogs.tsx'

/** All videos; the address of a single one opens its details over them. */
function VideosPage() {
  const { videoId } = useParams()
  const { search } = useLocation()
  const navigate = useNavigate()
  const leaveVideo = useCallback(() => {
    if (videoId) void navigate(paths.videos() + search, { replace: true, preventScrollReset: true })
  }, [videoId, search, navigate])
  const dialogs = useVideoDialogs(leaveVideo)
  const { data: video, error } = useVideo(videoId ?? null)
  usePageTitle(video ? video.title : 'All Videos')

  const onFound = useEffectEvent(() => video && dialogs.showDetails(video))
  const onMissing = useEffectEvent(() => {
    toast({ title: 'Video not found', description: 'It may have been removed.', tone: 'error' })
    leaveVideo()
  })
  useEffect(() => {
    if (video) onFound()
    else if (error) onMissing()
  }, [video, error])

  return (
    <>
      <VideosView onOpen={dialogs.showDetails} />
      <CatalogueDialogs dialogs={dialogs} />
    </>
  )
}

/** The page, once it can show what the start script has requested for it. */
export async function loadVideosPage() {
  await readEarlyVideoList(readListQuery(new URLSearchParams(window.location.search)))
  return VideosPage
}
