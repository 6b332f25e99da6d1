import { useEffect, useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { ReviewNote } from '../../../ui/review-note.tsx'
import type { QueueEntry } from './queue/queue.ts'
import type { PlayerState } from './use-player.ts'

/** The queue; a press on an entry plays it. */
export function QueueList({ player }: { player: PlayerState }) {
  const { queue, playlist } = player
  const hasEntries = queue.entries.length > 0
  return (
    <section aria-label="Queue" className="rounded-lg border border-line/60 bg-panel">
      <header className="flex min-h-14 items-center gap-3 border-b border-line/60 py-1.5 pr-2 pl-4">
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold">Queue</h2>
          {playlist && <p className="truncate text-sm text-muted">{playlist.name}</p>}
        </div>
        {hasEntries && (
          <Button tone="plain" onClick={player.clear}>
            Clear
          </Button>
        )}
      </header>
      {hasEntries ? (
        <ol className="max-h-96 overflow-y-auto overscroll-contain p-2 lg:max-h-[min(24rem,60dvh)]">
          {queue.entries.map((entry, index) => (
            <QueueLine
              key={entry.key}
              entry={entry}
              number={index + 1}
              isCurrent={index === queue.current}
              onPlay={() => player.jumpTo(index)}
            />
          ))}
        </ol>
      ) : (
        <p className="px-4 py-8 text-center text-sm text-muted">Videos you add appear here.</p>
      )}
    </section>
  )
}

function QueueLine(props: { entry: QueueEntry; number: number; isCurrent: boolean; onPlay: () => void }) {
  const { entry, number, isCurrent, onPlay } = props
  const { title, artistName, duration, metadataStatus } = entry.video
  const line = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isCurrent) line.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  return (
    <li ref={line}>
      <button
        type="button"
        aria-current={isCurrent}
        onClick={onPlay}
        className={classNames(
          'lift flex min-h-13 w-full items-center gap-3 rounded-md px-2 py-1.5 text-left hover:bg-raised',
          isCurrent && 'bg-raised',
        )}
      >
        <span
          className={classNames(
            'w-7 shrink-0 text-right text-sm tabular-nums',
            isCurrent ? 'font-bold text-accent' : 'text-muted',
          )}
        >
          {number}
        </span>
        <span className="min-w-0 flex-1">
          <span className="block truncate text-sm font-medium">{title}</span>
          <span className="block truncate text-sm text-muted">
            {metadataStatus === 'unavailable' ? 'Unavailable' : artistName}
          </span>
          <ReviewNote video={entry.video} />
        </span>
        <span className="text-sm text-muted tabular-nums">{duration}</span>
      </button>
    </li>
  )
}
