import type { Exclusion } from '@looptide/contracts/schedule'
import { useState } from 'react'
import { serverClock } from '../../../lib/clients.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { useSourceMatches } from '../api.ts'
import type { OpenEditor } from '../draft/use-schedule-editor.ts'
import { withExclusion } from '../model/exclusions.ts'
import { dateIn, dateText } from '../model/zoned-time.ts'
import { ExcludeSongDialog } from './exclude-song-dialog.tsx'

/** The songs excluded until a date. Exclusions whose date has passed have no effect and are not shown. */
export function ExcludedSongs({ editor }: { editor: OpenEditor }) {
  const { document, channel, change } = editor
  const [isAdding, setAdding] = useState(false)
  const today = dateIn(document.timeZone, serverClock.nowMs())
  const current = (document.exclusions ?? []).filter(({ untilDate }) => untilDate > today)
  const remove = (videoId: string) =>
    change((known) => ({
      ...known,
      exclusions: (known.exclusions ?? []).filter((exclusion) => exclusion.videoId !== videoId),
    }))
  return (
    <>
      {current.length === 0 ? (
        <p className="text-sm text-muted">
          No excluded songs. An excluded song airs again from the date that you choose.
        </p>
      ) : (
        <ul aria-label="Excluded songs" className="grid gap-1">
          {current.map((exclusion) => (
            <Row
              key={exclusion.videoId}
              channelId={channel.id}
              exclusion={exclusion}
              onRemove={() => remove(exclusion.videoId)}
            />
          ))}
        </ul>
      )}
      <Button icon="ban" className="justify-self-start" onClick={() => setAdding(true)}>
        Exclude a song
      </Button>
      {isAdding && (
        <ExcludeSongDialog
          today={today}
          onSave={(exclusion) => change((known) => withExclusion(known, exclusion))}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  )
}

function Row(props: { channelId: string; exclusion: Exclusion; onRemove: () => void }) {
  const { videoId, untilDate } = props.exclusion
  const { data } = useSourceMatches(props.channelId, { kind: 'video', videoId })
  const title = data?.items[0]?.title ?? (data ? 'Deleted video' : 'Loading...')
  return (
    <li className="flex items-center gap-2 rounded-md bg-raised/60 pl-3">
      <div className="min-w-0 flex-1 py-1.5">
        <p className="font-medium wrap-anywhere">{title}</p>
        <p className="text-sm text-muted">Airs again from {dateText(untilDate)}</p>
      </div>
      <IconButton icon="remove" label={`Let ${title} air again`} onClick={props.onRemove} />
    </li>
  )
}
