import type { Video } from '@looptide/contracts/http/videos'
import { IconButton } from '../../../ui/button.tsx'
import { VideoPicker } from '../shared/video-picker.tsx'

/** Videos in the order in which they are played. The first field is named `videos`, so that a form can point to it. */
export function ChosenVideos(props: {
  videos: readonly Video[]
  max: number
  error: string | undefined
  onChange: (videos: readonly Video[]) => void
}) {
  const { videos, max, error, onChange } = props
  return (
    <fieldset name="videos" tabIndex={-1} className="grid min-w-0 gap-3 outline-none">
      <legend className="mb-1.5 text-sm font-medium">Videos</legend>
      <VideoPicker
        chosen={videos.at(-1) ?? null}
        onChoose={(video) => {
          if (videos.length < max && !videos.some(({ id }) => id === video.id)) onChange([...videos, video])
        }}
      />
      {videos.length > 0 && (
        <ol aria-label="Chosen videos" className="grid gap-1">
          {videos.map((video, index) => (
            <li key={video.id} className="flex min-w-0 items-center gap-2 text-sm">
              <span className="w-6 text-muted tabular-nums">{index + 1}.</span>
              <span className="min-w-0 flex-1 truncate">
                {video.title} <span className="text-muted">{video.artistName}</span>
              </span>
              <IconButton
                icon="close"
                label={`Remove ${video.title}`}
                onClick={() => onChange(videos.filter(({ id }) => id !== video.id))}
              />
            </li>
          ))}
        </ol>
      )}
      <p role="alert" className="text-sm font-medium">
        {error}
      </p>
    </fieldset>
  )
}
