import type { Video } from '@looptide/contracts/http/videos'
import { formatDuration, formatPosition } from '@looptide/playhead/duration'
import { useRef, useState } from 'react'
import type { PlayerRange } from '../../../lib/media/player-range.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { TrimPlayer, type TrimPlayerHandle } from './trim-player.tsx'
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
