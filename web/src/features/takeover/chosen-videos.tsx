import type { Video } from '@looptide/contracts/http/videos'
import { IconButton } from '../../ui/button.tsx'
import { VideoChoices } from '../admin/video-picker.tsx'

/** Videos in the order in which they are played. The first field is named `videos`, so that a form can point to it. */
export function ChosenVideos(props: {
  videos: readonly Video[]
  max: number
  error: string | undefined
  onChange: (videos: readonly Video[]) => void
}) {
  const { videos, max, error, onChange } = props
  const remove = (id: string) => onChange(videos.filter((video) => video.id !== id))
  const choose = (video: Video) => {
    if (videos.some(({ id }) => id === video.id)) remove(video.id)
    else if (videos.length < max) onChange([...videos, video])
  }
  return (
    <fieldset name="videos" tabIndex={-1} className="grid min-w-0 gap-3 outline-none">
      <legend className="mb-1.5 text-sm font-medium">Videos</legend>
      <VideoChoices chosen={videos} onChoose={choose} />
      {videos.length > 0 && (
        <ol aria-label="Chosen videos" className="grid gap-1">
          {videos.map((video, index) => (
            <li key={video.id} className="flex min-w-0 items-center gap-2 text-sm">
              <span className="w-6 text-muted tabular-nums">{index + 1}.</span>
              <span className="min-w-0 flex-1 truncate">
                {video.title} <span className="text-muted">{video.artistName}</span>
              </span>
              <IconButton icon="close" label={`Remove ${video.title}`} onClick={() => remove(video.id)} />
            </li>
          ))}
        </ol>
      )}
      {videos.length >= max && <p className="text-sm text-muted">A takeover has at most {max} videos.</p>}
      <p role="alert" className="text-sm font-medium">
        {error}
      </p>
    </fieldset>
  )
}
