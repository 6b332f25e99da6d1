import type { GuideTrack } from '@looptide/contracts/http/guide'
import { clockTime } from '../../lib/time/date-locale.ts'
import { ProgrammeProgress } from './programme-progress.tsx'

/** What is on a channel now, with its progress, and next. An empty `artistName` is omitted. */
export function NowAndNext({ now, next }: { now: GuideTrack | undefined; next: GuideTrack | undefined }) {
  return (
    <span className="grid grid-cols-[minmax(0,1fr)] gap-1.5 text-sm tv:text-base">
      {now && (
        <>
          <Line label="Now" track={now} />
          <ProgrammeProgress
            key={now.startsAtMs}
            startsAtMs={now.startsAtMs}
            endsAtMs={now.endsAtMs}
            className="h-1 rounded-full"
          />
        </>
      )}
      {next && <Line label={`Next ${clockTime(next.startsAtMs)}`} track={next} />}
    </span>
  )
}

function Line({ label, track }: { label: string; track: GuideTrack }) {
  return (
    <span className="truncate">
      <span className="mr-1.5 text-muted tabular-nums">{label}</span> <bdi>{track.title}</bdi>
      {track.artistName && (
        <>
          {' – '}
          <bdi>{track.artistName}</bdi>
        </>
      )}
    </span>
  )
}
