import type { ProgrammeExplanation } from '@looptide/contracts/http/simulation'
import { useCall } from '../../lib/api/use-call.ts'
import { clockTime, dateLocale } from '../../lib/time/date-locale.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** Explains why a programme is scheduled: its position, order, neighbours and the change that scheduled it. */
export function WhyDialog(props: { channelId: string; programmeId: string; onClose: () => void }) {
  const { data, error, mutate } = useWhyProgramme(props.channelId, props.programmeId)
  return (
    <Dialog title="Why is this on?" isOpen onClose={props.onClose} width="narrow">
      {data ? (
        <Facts why={data} />
      ) : error ? (
        <ErrorNotice text="This programme has ended or was rescheduled." onRetry={() => void mutate()} />
      ) : (
        <Skeleton className="h-56" />
      )}
    </Dialog>
  )
}

const ORDERS: Record<ProgrammeExplanation['order'], string> = {
  playlist: 'Playlist order',
  shuffled: 'Shuffle order',
  separated: 'Moved within the shuffle so that no artist plays twice in a row',
  edited: 'The playlist was changed during this cycle; this is its place among the remaining videos',
}

const KINDS: Record<NonNullable<ProgrammeExplanation['change']>['kind'], string> = {
  edit: 'The playlist was changed',
  restart: 'The stream was started or shuffle was turned on',
  reset: 'The stream was reset',
  takeover: 'A live takeover began or ended',
}

function Facts({ why }: { why: ProgrammeExplanation }) {
  const actor = useProfileName(why.change?.actorId)
  const facts: [label: string, text: string][] = [
    ['Airs', `${clockTime(why.startsAtMs)} to ${clockTime(why.endsAtMs)}`],
    ['Playlist position', positionText(why)],
    [
      'Playlist cycle',
      `Video ${why.positionInCycle} of the cycle that starts with programme ${why.cycleSeq}`,
    ],
    ['Order', ORDERS[why.order]],
    ['Previous artist', why.artistBefore ?? 'Unknown'],
    ['Next artist', why.artistAfter ?? 'Not scheduled yet'],
    ['Scheduled', scheduledText(why.change, actor)],
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
  if (source === 'library') return 'None: without a live playlist, the channel plays all public videos'
  return playlistPosition === null ? 'No longer in the playlist' : String(playlistPosition + 1)
}

/** The change that scheduled the programme, by whom and when. */
function scheduledText(change: ProgrammeExplanation['change'], actor: string | undefined): string {
  if (change === null) return 'Unknown: the change is no longer stored'
  const reason =
    change.actorId === null ? 'Rescheduled automatically because a video changed' : KINDS[change.kind]
  const by = change.actorId !== null && actor ? ` by ${actor}` : ''
  const when = new Date(change.changedAt).toLocaleString(dateLocale)
  const text = `${reason}${by}, ${when}`
  return change.isExtension ? `Added when the timeline was extended. Last change: ${text}` : text
}

/** Why a programme is scheduled; fails with `not_found` if it has been rescheduled since. */
const useWhyProgramme = (channelId: string, programmeId: string) =>
  useCall('GET /api/channels/:id/programmes/:programmeId/explanation', {
    params: { id: channelId, programmeId },
  })

/** A user's artist name or handle; undefined without an id and until it is loaded. */
const useProfileName = (userId: string | null | undefined): string | undefined => {
  const { data } = useCall('GET /api/profiles/:id', userId ? { params: { id: userId } } : null)
  return data?.artistName ?? data?.handle ?? undefined
}
