import {
  MAX_TAKEOVER_MS,
  MAX_TAKEOVER_VIDEOS,
  type ReturnPolicy,
  type StartTakeoverBody,
  type Takeover,
} from '@looptide/contracts/http/takeovers'
import type { Video } from '@looptide/contracts/http/videos'
import { useState } from 'react'
import { serverClock } from '../../lib/clients.ts'
import { showFailure } from '../../lib/failures.ts'
import { localInputValue } from '../../lib/time/date-locale.ts'
import { IconButton } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { DialogActions, Form, SubmitButton } from '../../ui/form.tsx'
import { Switch } from '../../ui/switch.tsx'
import { type FieldProblem, useForm } from '../../ui/use-form.ts'
import { VideoChoices } from '../admin/video-picker.tsx'

type End = 'content' | 'time' | 'stopped'

const ENDS: readonly { id: End; label: string }[] = [
  { id: 'content', label: 'After the videos' },
  { id: 'time', label: 'At a set time' },
  { id: 'stopped', label: 'When I end it' },
]
const RETURNS: readonly { id: ReturnPolicy; label: string }[] = [
  { id: 'join', label: 'Join the current programme' },
  { id: 'continue', label: 'Continue where it stopped' },
]
const DEFAULT_LENGTH_MS = 30 * 60_000

const isHls = ({ videoUrl }: Video): boolean => /\.m3u8(?:[?#]|$)/i.test(videoUrl)

/** Chooses what is put on the air immediately, until when, and what follows. */
export function TakeoverDialog(props: {
  channelName: string
  start: (body: StartTakeoverBody) => Promise<Takeover>
  onStarted: (takeover: Takeover) => void
  onClose: () => void
}) {
  const [videos, setVideos] = useState<readonly Video[]>([])
  const [title, setTitle] = useState('')
  const [end, setEnd] = useState<End>('content')
  const [endTime, setEndTime] = useState(() => localInputValue(serverClock.nowMs() + DEFAULT_LENGTH_MS))
  const [returnPolicy, setReturnPolicy] = useState<ReturnPolicy>('join')
  const [isLive, setLive] = useState(false)
  const [first] = videos
  const mayBeLive = videos.length === 1 && first !== undefined && isHls(first)
  const form = useForm({
    check: () => problemOf({ videos, end, endTime, isLive: mayBeLive && isLive }),
    send: async () => {
      const until = end === 'time' ? new Date(endTime).toISOString() : end
      const body: StartTakeoverBody = { videoIds: videos.map(({ id }) => id), until, returnPolicy }
      if (title.trim() !== '') body.title = title.trim()
      if (mayBeLive && isLive) body.isLive = true
      props.onStarted(await props.start(body))
    },
    onFailure: (failure) => showFailure(failure, { title: 'Takeover Failed', text: 'Please try again.' }),
  })
  return (
    <Dialog
      title={`Take over ${props.channelName}`}
      description="What is on the air is cut within two seconds. You can undo it for ten seconds."
      isOpen
      onClose={props.onClose}
    >
      <Form form={form} className="grid gap-5">
        <ChosenVideos
          videos={videos}
          max={MAX_TAKEOVER_VIDEOS}
          error={form.field('videos').error}
          onChange={setVideos}
        />
        {mayBeLive && <Switch label="This is a live stream" isOn={isLive} onChange={setLive} />}
        <TextField
          label="Title for viewers"
          placeholder="Live special"
          maxLength={80}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
        <Choice label="Ends" options={ENDS} value={end} onChange={setEnd} />
        {end === 'time' && (
          <TextField
            label="End"
            type="datetime-local"
            value={endTime}
            onChange={(event) => setEndTime(event.target.value)}
            {...form.field('endTime')}
          />
        )}
        <Choice label="Then" options={RETURNS} value={returnPolicy} onChange={setReturnPolicy} />
        <DialogActions onCancel={props.onClose}>
          <SubmitButton form={form} busyLabel="Putting on the air...">
            Put on the air now
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

function problemOf(values: {
  videos: readonly Video[]
  end: End
  endTime: string
  isLive: boolean
}): FieldProblem | undefined {
  if (values.videos.length === 0) return { field: 'videos', description: 'Choose at least one video.' }
  if (values.isLive && values.end === 'content') {
    return { field: 'videos', description: 'A live stream has no end. Choose a time, or end it yourself.' }
  }
  const aheadMs = Date.parse(values.endTime) - serverClock.nowMs()
  if (values.end === 'time' && !(aheadMs > 0 && aheadMs <= MAX_TAKEOVER_MS)) {
    return { field: 'endTime', description: 'Choose a time within the next 24 hours.' }
  }
  return undefined
}

/** Videos in the order in which they are played. The first field is named `videos`, so that a form can point to it. */
function ChosenVideos(props: {
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
