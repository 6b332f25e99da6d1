import type { Video } from '@looptide/contracts/http/videos'
import { useState } from 'react'
import { VideoPicker } from '../../admin/video-picker.tsx'

/** Chooses the video of a source. The current one is listed beside it, with the matching videos. */
export function VideoSourceField(props: { error: string | undefined; onChoose: (videoId: string) => void }) {
  const [chosen, setChosen] = useState<Video | null>(null)
  return (
    <div className="grid gap-2">
      <VideoPicker
        chosen={chosen}
        onChoose={(video) => {
          setChosen(video)
          props.onChoose(video.id)
        }}
      />
      {props.error && (
        <p role="alert" className="text-sm font-medium">
          <span aria-hidden="true">⚠ </span>
          {props.error}
        </p>
      )}
    </div>
  )
}
