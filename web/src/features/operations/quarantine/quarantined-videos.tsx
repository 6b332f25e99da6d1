import { DELETED_RETENTION_DAYS } from '@looptide/contracts/http/deleted-videos'
import type { PlaybackProblem, QuarantinedVideo } from '@looptide/contracts/http/playback-problems'
import { textKey } from '@looptide/contracts/text'
import { useState } from 'react'
import { api, serverClock } from '../../../lib/clients.ts'
import { useAction, useFailureToast } from '../../../lib/failures.ts'
import { dateLocale } from '../../../lib/time/date-locale.ts'
import { timeAgo } from '../../../lib/time/time-ago.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { ListPage } from '../../../ui/list-page.tsx'
import { EmptyNotice } from '../../../ui/notice.tsx'
import { Thumbnail } from '../../../ui/thumbnail.tsx'
import { toast } from '../../../ui/toast.ts'
import { useConfirm } from '../../../ui/use-confirm.tsx'
import { useChannels } from '../../admin/use-channels.ts'
import { deleteVideo, usePlaybackProblems, useQuarantine } from './api.ts'
import { countriesText, errorsText, reasonLabel } from './problem-texts.ts'
import { ReplaceDialog } from './replace-dialog.tsx'

/** Quarantined videos, and those that do not play for some viewers. */
export function QuarantineTab() {
  return (
    <div className="grid gap-8">
      <QuarantinedVideos />
      <PlaybackProblems />
    </div>
  )
}

/** Lists videos that were taken off the air because viewers could not play them, to release, replace or delete them. */
function QuarantinedVideos() {
  const list = useQuarantine()
  const [text, setText] = useState('')
  const query = textKey(text)
  useFailureToast(list.items ? undefined : list.error, { title: 'Error loading videos' })
  return (
    <section aria-labelledby="quarantined-videos" className="grid gap-4">
      <div className="flex flex-wrap items-end gap-4">
        <h3 id="quarantined-videos" className="mr-auto text-lg font-semibold">
          Quarantined videos{list.items && ` (${list.items.length}${list.hasMore ? '+' : ''})`}
        </h3>
        {list.items !== undefined && list.items.length > 0 && (
          <TextField
            label="Search quarantined videos"
            type="search"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </div>
      <ListPage
        list={list}
        loading="Loading quarantined videos"
        skeleton={{ count: 2, className: 'h-24' }}
        failed="Error loading videos"
        empty={
          <EmptyNotice title="No quarantined videos">
            <p>
              Videos that three viewers could not play are taken off the air and listed here. Viewers in a
              country where a video is not available count as one.
            </p>
          </EmptyNotice>
        }
      >
        {(entries) => <Rows entries={entries.filter((entry) => matches(entry, query))} onGone={list.hide} />}
      </ListPage>
    </section>
  )
}

/** Whether title or artist contains a text, given in lower case. */
const matches = ({ video }: QuarantinedVideo, query: string): boolean =>
  `${video.title}\n${video.artistName}`.toLowerCase().includes(query)

function Rows(props: { entries: readonly QuarantinedVideo[]; onGone: (videoId: string) => void }) {
  const { entries, onGone } = props
  if (entries.length === 0) return <p className="py-6 text-center text-muted">No matching videos.</p>
  return (
    <ul className="max-h-[40rem] divide-y divide-line overflow-y-auto overscroll-contain rounded-lg border border-line/70 bg-panel">
      {entries.map((entry) => (
        <QuarantinedRow key={entry.videoId} entry={entry} onGone={() => onGone(entry.videoId)} />
      ))}
    </ul>
  )
}

/** A quarantined video: why and when it was taken off the air, and buttons to release, replace or delete it. */
function QuarantinedRow({ entry, onGone }: { entry: QuarantinedVideo; onGone: () => void }) {
  const [isReplacing, setReplacing] = useState(false)
  const { video } = entry
  const channel = useChannels().data?.items.find(({ id }) => id === entry.channelId)
  const { isBusy, release, remove, updateMetadata } = useQuarantineActions(entry, onGone)
  const { confirm, confirmation } = useConfirm()
  const confirmRemove = () =>
    confirm({
      title: `Delete ${video.title}?`,
      confirmLabel: 'Delete',
      text: (
        <p>
          It will be removed from the library and all channel playlists. Recently deleted in the Video Library
          keeps it for {DELETED_RETENTION_DAYS} days.
        </p>
      ),
      onConfirm: remove,
    })
  return (
    <li className="grid gap-3 p-4 sm:flex sm:items-start sm:gap-4">
      <Thumbnail url={video.thumbnailUrl} className="hidden w-28 shrink-0 rounded-sm sm:block" />
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{video.title}</p>
        <p className="text-sm wrap-anywhere text-muted">{video.artistName}</p>
        <p className="text-sm">⚠ {reasonLabel(entry.reason)}</p>
        {entry.countries.some(({ country }) => country !== null) && (
          <p className="text-sm">Does not play for: {countriesText(entry.countries)}</p>
        )}
        <p className="text-sm text-muted">
          Taken off the air{' '}
          <time
            dateTime={entry.quarantinedAt}
            title={new Date(entry.quarantinedAt).toLocaleString(dateLocale)}
          >
            {timeAgo(entry.quarantinedAt, serverClock.nowMs())}
          </time>
          {channel && (
            <>
              {' on '}
              <bdi>{channel.name}</bdi>
            </>
          )}{' '}
          • reported by {entry.reports} {entry.reports === 1 ? 'viewer' : 'viewers'}
        </p>
      </div>
      <div className="flex flex-wrap gap-2 sm:max-w-xs sm:justify-end">
        <Button isBusy={isBusy} onClick={() => void release()}>
          Release
        </Button>
        {video.youtubeId && (
          <Button isBusy={isBusy} onClick={() => void updateMetadata()}>
            Update Metadata
          </Button>
        )}
        <Button isBusy={isBusy} onClick={() => setReplacing(true)}>
          Replace
        </Button>
        <Button isBusy={isBusy} onClick={confirmRemove}>
          Delete
        </Button>
      </div>
      {isReplacing && (
        <ReplaceDialog
          video={video}
          onReplaced={() => {
            setReplacing(false)
            onGone()
          }}
          onClose={() => setReplacing(false)}
        />
      )}
      {confirmation}
    </li>
  )
}

/** Releases, deletes or refetches a quarantined video, one action at a time, with a toast for each result. */
function useQuarantineActions({ video, videoId }: QuarantinedVideo, onGone: () => void) {
  const { isBusy, run } = useAction()
  const release = async () => {
    const send = () => api.call('DELETE /api/channels/quarantine/:videoId', { params: { videoId } })
    const isReleased = await run(send, {
      title: 'Error releasing video',
      text: 'Failed to release the video. Please try again.',
    })
    if (!isReleased) return
    showSuccess('Video Released', `${video.title} can be on the air again.`)
    onGone()
  }
  const remove = async () => {
    const isDeleted = await run(() => deleteVideo(videoId), {
      title: 'Error deleting videos',
      text: 'Failed to delete videos. Please try again.',
    })
    if (!isDeleted) return
    toast({ title: 'Videos deleted', tone: 'success' })
    onGone()
  }
  const updateMetadata = async () => {
    const send = () => api.call('POST /api/videos/update-metadata', { body: { ids: [videoId] } })
    const isRequested = await run(send, {
      title: 'Error updating metadata',
      text: 'Failed to request metadata. Please try again.',
    })
    if (isRequested) {
      showSuccess('Metadata requested', `Fetching the metadata of ${video.title} from YouTube.`)
    }
  }
  return { isBusy, release, remove, updateMetadata }
}

const showSuccess = (title: string, description: string) => toast({ title, description, tone: 'success' })

/** Lists videos that do not play for some viewers, with their countries. */
function PlaybackProblems() {
  const list = usePlaybackProblems()
  useFailureToast(list.items ? undefined : list.error, { title: 'Error loading playback problems' })
  return (
    <section aria-labelledby="playback-problems" className="grid gap-4">
      <div>
        <h3 id="playback-problems" className="text-lg font-semibold">
          Playback problems{list.items && ` (${list.items.length}${list.hasMore ? '+' : ''})`}
        </h3>
        <p className="text-sm text-muted">
          If YouTube refuses to play a video for a viewer, the viewer sees another video from the same source.
          The timeline does not change.
        </p>
      </div>
      <ListPage
        list={list}
        loading="Loading playback problems"
        skeleton={{ count: 2, className: 'h-24' }}
        failed="Error loading playback problems"
        empty={
          <EmptyNotice title="No playback problems">
            <p>Videos that did not play for a viewer in the last 7 days are listed here.</p>
          </EmptyNotice>
        }
      >
        {(problems) => (
          <ul className="max-h-[40rem] divide-y divide-line overflow-y-auto overscroll-contain rounded-lg border border-line/70 bg-panel">
            {problems.map((problem) => (
              <ProblemRow key={problem.video.id} problem={problem} />
            ))}
          </ul>
        )}
      </ListPage>
    </section>
  )
}

function ProblemRow({ problem }: { problem: PlaybackProblem }) {
  const { video, countries, lastReportedAt } = problem
  return (
    <li className="flex items-start gap-4 p-4">
      <Thumbnail url={video.thumbnailUrl} className="hidden w-28 shrink-0 rounded-sm sm:block" />
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{video.title}</p>
        <p className="text-sm wrap-anywhere text-muted">{video.artistName}</p>
        <p className="text-sm">Does not play for: {countriesText(countries)}</p>
        <p className="text-sm text-muted">
          {errorsText(countries)} Last report{' '}
          <time dateTime={lastReportedAt} title={new Date(lastReportedAt).toLocaleString(dateLocale)}>
            {timeAgo(lastReportedAt, serverClock.nowMs())}
          </time>
        </p>
      </div>
    </li>
  )
}
