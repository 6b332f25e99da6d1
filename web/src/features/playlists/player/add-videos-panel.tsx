import type { Video } from '@looptide/contracts/http/videos'
import { useState } from 'react'
import { ApiError } from '../../../lib/api/api-error.ts'
import { CreateAccountTo } from '../../../lib/session/create-account-to.tsx'
import { useSession } from '../../../lib/session/session.tsx'
import { Choice } from '../../../ui/choice.tsx'
import { TextArea, TextField } from '../../../ui/field.tsx'
import { Form, SubmitButton } from '../../../ui/form.tsx'
import { toast } from '../../../ui/toast.ts'
import { useForm } from '../../../ui/use-form.ts'
import { addToLibrary } from './api.ts'
import { type ReadUrls, readBulkUrls, readSingleUrl } from './read-urls.ts'
import type { PlayerState } from './use-player.ts'

type Mode = 'single' | 'bulk'

/** The form to add YouTube videos by URL, one or many (docs/product/admin.md §2 and §5). */
export function AddVideosPanel({ player }: { player: PlayerState }) {
  const [mode, setMode] = useState<Mode>('single')
  const { isAnonymous } = useSession()
  const { playlist } = player
  if (isAnonymous) return <CreateAccountTo purpose="add videos" />
  return (
    <section aria-label="Add Videos" className="grid max-w-2xl gap-5">
      <Choice
        label="Number of videos"
        isLabelHidden
        options={[
          { id: 'single', label: 'Single URL' },
          { id: 'bulk', label: 'Bulk Import' },
        ]}
        value={mode}
        onChange={setMode}
      />
      <AddForm key={mode} mode={mode} player={player} />
      <p className="text-sm text-muted">
        {playlist?.isOwn
          ? `New videos are added to “${playlist.name}”.`
          : 'New videos are added to the queue.'}
      </p>
    </section>
  )
}

function AddForm({ mode, player }: { mode: Mode; player: PlayerState }) {
  const { status, may } = useSession()
  const [text, setText] = useState('')

  const form = useForm({
    send: async () => {
      const read: ReadUrls = mode === 'single' ? readSingleUrl(text) : readBulkUrls(text)
      if ('problem' in read) {
        toast({ title: read.problem, tone: 'error' })
        return
      }
      if (status !== 'signed-in') {
        tellFailure('Please sign in to add videos.')
        return
      }
      if (await addAll(read.youtubeIds, { mode, player, mayEdit: may('videos:edit') })) setText('')
    },
  })

  return (
    <Form form={form}>
      {mode === 'single' ? (
        <TextField
          label="YouTube URL"
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder="https://www.youtube.com/watch?v=..."
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      ) : (
        <TextArea
          label="YouTube URLs"
          hint="One URL per line"
          rows={8}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="font-mono text-sm"
        />
      )}
      <SubmitButton form={form} busyLabel="Processing..." className="justify-self-start px-6">
        {mode === 'single' ? 'Add Video' : 'Add Videos'}
      </SubmitButton>
    </Form>
  )
}

const tellFailure = (reason: string) =>
  toast({ title: 'Failed to add video', description: reason, tone: 'error' })

/** Adds the videos to the library, then to the playlist or queue. Returns whether the library has accepted any. */
async function addAll(
  youtubeIds: readonly string[],
  { mode, player, mayEdit }: { mode: Mode; player: PlayerState; mayEdit: boolean },
): Promise<boolean> {
  let videos: Video[]
  try {
    const { lines } = await addToLibrary(youtubeIds, mayEdit)
    videos = lines.flatMap((line) => line.video ?? [])
  } catch (failure) {
    tellFailure(failure instanceof ApiError ? failure.message : 'Please try again.')
    return false
  }
  if (videos.length === 0) {
    tellFailure('The video could not be added to the library.')
    return false
  }
  const isNothingPlaying = !player.isPlaying && player.queue.entries.length === 0
  tellAdded(videos, {
    failed: youtubeIds.length - videos.length,
    mode,
    onPlay: isNothingPlaying ? () => player.setPlaying(true) : undefined,
  })
  try {
    if ((await player.add(videos)) === 'playlist') {
      toast({ title: 'Video added to current playlist!', tone: 'success' })
    }
  } catch {
    toast({ title: 'Failed to add video to playlist', tone: 'error' })
  }
  return true
}

/** `onPlay`: plays them, if the player is waiting for that. */
function tellAdded(
  videos: readonly Video[],
  { failed, mode, onPlay }: { failed: number; mode: Mode; onPlay: (() => void) | undefined },
): void {
  const title =
    mode === 'single'
      ? 'Video added successfully!'
      : `Added ${videos.length} videos successfully!${failed > 0 ? ` ${failed} failed.` : ''}`
  const isSubmitted = videos.some(({ review }) => review?.state === 'submitted')
  toast({
    title,
    ...(isSubmitted && { description: 'Only you can see new videos until a moderator accepts them.' }),
    tone: 'success',
    ...(onPlay && { action: { label: 'Play', onPress: onPlay } }),
  })
}
