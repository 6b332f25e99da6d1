import type { Video } from '@looptide/contracts/http/videos'
import { formatDuration, formatPosition } from '@looptide/playhead/duration'
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react'
import { useConfig } from '../../../lib/api/use-config.ts'
import type { Frame } from '../../../lib/media/frame.ts'
import { openMediaFrame } from '../../../lib/media/media-frame.ts'
import type { PlayerRange } from '../../../lib/media/player-range.ts'
import { openYouTubeFrame } from '../../../lib/media/youtube-frame.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { trimProblem } from './trim-problem.ts'
import { FIELD_LABELS, typedPosition, type VideoFields } from './video-fields.ts'

const WHOLE: PlayerRange = { startAtMs: 0, endAtMs: null }

/** The trim points of a video: as times, or at the position of a player, which also plays the part between them. */
export function TrimEditor(props: {
  video: Video
  values: VideoFields
  onChange: (part: Partial<VideoFields>) => void
}) {
  const { video, values, onChange } = props
  const [range, setRange] = useState<PlayerRange>()
  const player = useRef<TrimPlayerHandle>(null)
  const problem = trimProblem(values, video)
  const errorOf = (field: 'startAt' | 'endAt') => (problem?.field === field ? problem.text : undefined)
  const setHere = (field: 'startAt' | 'endAt') =>
    onChange({ [field]: formatPosition(player.current?.positionMs() ?? 0) })

  return (
    <fieldset className="grid gap-3 rounded-md border border-line p-4">
      <legend className="px-1 text-sm font-medium">Played part</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label={FIELD_LABELS.startAt}
          hint="Leave empty for the beginning."
          error={errorOf('startAt')}
          placeholder="0:00"
          maxLength={16}
          value={values.startAt}
          onChange={(event) => onChange({ startAt: event.target.value })}
        />
        <TextField
          label={FIELD_LABELS.endAt}
          hint={
            video.durationAssumed
              ? 'Leave empty for the end.'
              : `Leave empty for the end, ${formatDuration(video.durationMs)}.`
          }
          error={errorOf('endAt')}
          placeholder={video.durationAssumed ? '' : formatDuration(video.durationMs)}
          maxLength={16}
          value={values.endAt}
          onChange={(event) => onChange({ endAt: event.target.value })}
        />
      </div>
      {range && <TrimPlayer ref={player} video={video} range={range} />}
      <div className="flex flex-wrap gap-2">
        {range ? (
          <>
            <Button onClick={() => setHere('startAt')}>Set start here</Button>
            <Button onClick={() => setHere('endAt')}>Set end here</Button>
          </>
        ) : (
          <Button icon="play" onClick={() => setRange(WHOLE)}>
            Open player
          </Button>
        )}
        {range && range !== WHOLE && <Button onClick={() => setRange(WHOLE)}>Play the whole video</Button>}
        <Button disabled={problem !== undefined} onClick={() => setRange(rangeOf(values))}>
          Play this part
        </Button>
      </div>
    </fieldset>
  )
}

const rangeOf = ({ startAt, endAt }: VideoFields): PlayerRange => ({
  startAtMs: typedPosition(startAt) ?? 0,
  endAtMs: typedPosition(endAt) ?? null,
})

interface TrimPlayerHandle {
  /** The current position, in ms of the media. */
  positionMs: () => number
}

/** Plays a part of a video with the player's own controls. A new `range` starts it again. */
function TrimPlayer(props: { video: Video; range: PlayerRange; ref: Ref<TrimPlayerHandle> }) {
  const { video, range } = props
  const { youtubeBaseUrl, isSettled } = useConfig()
  const host = useRef<HTMLDivElement>(null)
  const frame = useRef<Frame | null>(null)
  const [hasFailed, setFailed] = useState(false)

  const open = useEffectEvent((place: HTMLElement, wanted: PlayerRange): Frame => {
    const listener = ({ type }: { type: string }) => setFailed(type === 'failed')
    return video.youtubeId
      ? openYouTubeFrame(place, { youtubeId: video.youtubeId, range: wanted }, youtubeBaseUrl, listener)
      : openMediaFrame(place, { url: video.videoUrl, title: video.title, range: wanted }, listener)
  })
  useEffect(() => {
    if (!host.current || !isSettled) return
    const opened = open(host.current, range)
    frame.current = opened
    return () => {
      opened.destroy()
      frame.current = null
    }
  }, [isSettled, range])
  useImperativeHandle(props.ref, () => ({
    positionMs: () => Math.round((frame.current?.positionS() ?? 0) * 1000),
  }))

  return (
    <div className="grid gap-2">
      <div
        ref={host}
        className="relative aspect-video w-full overflow-hidden rounded-md bg-black *:absolute *:inset-0"
      />
      {hasFailed && (
        <p role="alert" className="text-sm">
          The video cannot be played here. Enter the times instead.
        </p>
      )}
    </div>
  )
}
