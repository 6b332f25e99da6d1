import type { QuarantinedVideo } from '@looptide/contracts/http/channels'
import { useState } from 'react'
import { useFailureToast } from '../../../../lib/api/use-failure-toast.ts'
import { Button } from '../../../../ui/button.tsx'
import { TextField } from '../../../../ui/field.tsx'
import { EmptyNotice, ErrorNotice } from '../../../../ui/notice.tsx'
import { Skeleton } from '../../../../ui/skeleton.tsx'
import { useQuarantine } from './api.ts'
import { QuarantinedRow } from './quarantined-row.tsx'

/** Lists videos that were taken off the air because viewers could not play them, to release, replace or delete them. */
export function QuarantinedVideos() {
  const list = useQuarantine()
  const [text, setText] = useState('')
  const query = text.trim().toLowerCase()
  const shown = list.videos?.filter(({ video: { title, artistName } }) =>
    `${title}\n${artistName}`.toLowerCase().includes(query),
  )
  return (
    <section aria-labelledby="quarantined-videos" className="grid gap-4">
      <div className="flex flex-wrap items-end gap-4">
        <h3 id="quarantined-videos" className="mr-auto text-lg font-semibold">
          Quarantined videos{list.videos && ` (${list.videos.length}${list.hasMore ? '+' : ''})`}
        </h3>
        {list.videos !== undefined && list.videos.length > 0 && (
          <TextField
            label="Search quarantined videos"
            type="search"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </div>
      <Rows list={list} shown={shown} />
      {list.hasMore && (
        <Button className="justify-self-center" disabled={list.isLoadingMore} onClick={list.loadMore}>
          Show more
        </Button>
      )}
    </section>
  )
}

function Rows(props: {
  list: ReturnType<typeof useQuarantine>
  shown: readonly QuarantinedVideo[] | undefined
}) {
  const { list, shown } = props
  useFailureToast('Error loading videos', shown ? undefined : list.error)
  if (!shown) {
    if (list.error) return <ErrorNotice text="Error loading videos" onRetry={list.reload} />
    return (
      <div role="status" aria-label="Loading quarantined videos" className="grid gap-2">
        <Skeleton className="h-24" />
        <Skeleton className="h-24" />
      </div>
    )
  }
  if (list.videos?.length === 0) {
    return (
      <EmptyNotice title="No quarantined videos">
        <p>Videos that three viewers could not play are taken off the air and listed here.</p>
      </EmptyNotice>
    )
  }
  if (shown.length === 0) return <p className="py-6 text-center text-muted">No matching videos.</p>
  return (
    <ul className="max-h-[40rem] divide-y divide-line overflow-y-auto overscroll-contain rounded-lg border border-line/70 bg-panel">
      {shown.map((entry) => (
        <QuarantinedRow key={entry.videoId} entry={entry} onGone={() => list.hide(entry.videoId)} />
      ))}
    </ul>
  )
}
