import type { ProgrammeExplanation } from '@looptide/contracts/http/simulation'
import { clockTime } from '../../../lib/clock-time.ts'
import { dateLocale } from '../../../lib/date-locale.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useProfileName, useWhy } from './api.ts'

/** Why a programme is on: its place, its round, how it was drawn, and what made this future. */
export function WhyDialog(props: { channelId: string; programmeId: string; onClose: () => void }) {
  const { data, error, mutate } = useWhy(props.channelId, props.programmeId)
  return (
    <Dialog title="Why is this on?" isOpen onClose={props.onClose} width="narrow">
      {data ? (
        <Facts why={data} />
      ) : error ? (
        <ErrorNotice
          text="The programme was planned anew meanwhile, or it is over."
          onRetry={() => void mutate()}
        />
      ) : (
        <Skeleton className="h-56" />
      )}
    </Dialog>
  )
}

const ORDERS: Record<ProgrammeExplanation['order'], string> = {
  playlist: 'In the order of the playlist',
  shuffled: 'Where the shuffle drew it',
  separated: 'Moved from where the shuffle drew it, so that no artist follows itself',
  edited: 'The round was changed after it had begun; this is its place in what is left',
}

const KINDS: Record<NonNullable<ProgrammeExplanation['change']>['kind'], string> = {
  edit: 'the playlist was changed',
  restart: 'the stream was started, or shuffle was switched on',
  reset: 'the stream was reset',
}

function Facts({ why }: { why: ProgrammeExplanation }) {
  const actor = useProfileName(why.change?.actorId)
  const facts: [label: string, text: string][] = [
    ['On the air', `${clockTime(why.startsAtMs)} to ${clockTime(why.endsAtMs)}`],
    ['Playlist position', positionText(why)],
    ['Round', `Video ${why.positionInCycle} of the round that began with programme ${why.cycleSeq}`],
    ['Order', ORDERS[why.order]],
    [
      'Neighbours',
      `After ${why.artistBefore ?? 'nothing known'}, before ${why.artistAfter ?? 'nothing yet'}`,
    ],
    ['Planned', plannedText(why.change, actor)],
    ...(why.seed === null ? [] : [['Shuffle seed', why.seed] satisfies [string, string]]),
  ]
  return (
    <div className="grid gap-4">
      <p className="break-words">
        <span className="block text-lg font-semibold">{why.title}</span>
        <span className="text-muted">{why.artistName}</span>
      </p>
      <dl className="grid gap-3 text-sm">
        {facts.map(([label, text]) => (
          <div key={label} className="grid gap-0.5">
            <dt className="text-muted">{label}</dt>
            <dd className="font-medium break-words">{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

function positionText({ source, playlistPosition }: ProgrammeExplanation): string {
  if (source === 'library') return 'None: without a live playlist the channel plays every public video'
  return playlistPosition === null ? 'Not in the playlist any more' : String(playlistPosition + 1)
}

function plannedText(change: ProgrammeExplanation['change'], actor: string | undefined): string {
  if (change === null) return 'Too long ago to know'
  const who =
    change.actorId === null ? 'by the station itself, for a video had changed' : actor && `by ${actor}`
  const reason = change.actorId === null ? 'the future was planned anew' : KINDS[change.kind]
  const when = new Date(change.changedAt).toLocaleString(dateLocale)
  const text = `${reason[0]?.toUpperCase()}${reason.slice(1)} ${[who, `on ${when}`].filter(Boolean).join(', ')}`
  return change.isExtension ? `Laid out in advance as time went on. Before that: ${text}` : text
}
