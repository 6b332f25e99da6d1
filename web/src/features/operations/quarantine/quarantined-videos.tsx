import type { QuarantinedVideo } from '@looptide/contracts/http/channels'
import { textKey } from '@looptide/contracts/text'
import { useState } from 'react'
import { useFailureToast } from '../../../lib/api/use-failure-toast.ts'
import { TextField } from '../../../ui/field.tsx'
import { ListPage } from '../../../ui/list-page.tsx'
import { EmptyNotice } from '../../../ui/notice.tsx'
import { useQuarantine } from './api.ts'
import { PlaybackProblems } from './playback-problems.tsx'
import { QuarantinedRow } from './quarantined-row.tsx'

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
  useFailureToast('Error loading videos', list.items ? undefined : list.error)
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
