import type { ProgrammeExplanation } from '@looptide/contracts/http/simulation'
import { useCall } from '../../lib/api/use-call.ts'
import { AiredRequest } from '../../lib/requests/aired-request.tsx'
import { clockTime, dateLocale } from '../../lib/time/date-locale.ts'
import { whyText } from '../../lib/why-text.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { RULE_LABELS } from './rule-labels.ts'

/** Explains why a programme is scheduled: its position, order, neighbours and the change that scheduled it. */
export function WhyDialog(props: { channelId: string; programmeId: string; onClose: () => void }) {
  const { data, error, mutate } = useWhyProgramme(props.channelId, props.programmeId)
  return (
    <Dialog title="Why is this on?" isOpen onClose={props.onClose} width="narrow">
      {data ? (
        <div className="grid gap-4">
          <Facts why={data} />
          <AiredRequest channelId={props.channelId} programmeId={props.programmeId} />
        </div>
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

type Fact = [label: string, text: string]

function Facts({ why }: { why: ProgrammeExplanation }) {
  const actor = useProfileName(why.change?.actorId)
  const facts: Fact[] = [
    ['Airs', `${clockTime(why.startsAtMs)} to ${clockTime(why.endsAtMs)}`],
    ...(why.schedule === null ? loopFacts(why) : scheduleFacts(why.schedule)),
    ['Previous artist', why.artistBefore ?? 'Unknown'],
    ['Next artist', why.artistAfter ?? 'Not scheduled yet'],
    ['Scheduled', scheduledText(why, actor)],
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

/** How a loop chose the programme. */
function loopFacts(why: ProgrammeExplanation): Fact[] {
  return [
    ['Playlist position', positionText(why)],
    [
      'Playlist cycle',
      `Video ${why.positionInCycle} of the cycle that starts with programme ${why.cycleSeq}`,
    ],
    ['Order', ORDERS[why.order]],
    ...(why.seed === null ? [] : [['Shuffle seed', why.seed] satisfies Fact]),
  ]
}

function positionText({ source, playlistPosition }: ProgrammeExplanation): string {
  if (source === 'library') return 'None: without a live playlist, the channel plays all public videos'
  return playlistPosition === null ? 'No longer in the playlist' : String(playlistPosition + 1)
}

/** How a schedule chose the programme. */
function scheduleFacts(schedule: NonNullable<ProgrammeExplanation['schedule']>): Fact[] {
  const { kind, blockName, slot, source, number, count, relaxed, version, cut } = schedule
  const rules = relaxed.map((rule) => RULE_LABELS[rule]).join(', ')
  const origin: Fact = [
    'Source',
    whyText({ block: null, reason: source === null ? null : { source, number, count } }) ??
      (kind === 'video' ? 'An edit of the log' : 'Ident'),
  ]
  if (version === 0) return [origin, ['Schedule', 'None: every n-th programme of the loop is a request']]
  return [
    ['Block', blockName ?? 'Outside blocks'],
    ['Slot', slot === null ? 'None: the source plays without a clock' : `${slot + 1} of the clock`],
    origin,
    ['Relaxed rules', rules || 'None'],
    ['Schedule version', String(version)],
    ...(cut ? [['Ends early', 'Cut short for the next start'] satisfies Fact] : []),
  ]
}

/** The change that scheduled the programme, by whom and when. */
function scheduledText({ change, schedule }: ProgrammeExplanation, actor: string | undefined): string {
  if (change === null) return 'Unknown: the change is no longer stored'
  const by = change.actorId !== null && actor ? ` by ${actor}` : ''
  const when = new Date(change.changedAt).toLocaleString(dateLocale)
  const text = `${reasonText(change, schedule !== null)}${by}, ${when}`
  return change.isExtension ? `Added when the timeline was extended. Last change: ${text}` : text
}

function reasonText(
  { kind, actorId }: NonNullable<ProgrammeExplanation['change']>,
  isScheduled: boolean,
): string {
  const isByStation = actorId === null
  if (kind !== 'edit') return KINDS[kind]
  if (isScheduled) {
    return isByStation
      ? 'Planned again automatically because the schedule, a playlist or a video changed'
      : 'The schedule or a playlist was changed'
  }
  return isByStation ? 'Rescheduled automatically because a video changed' : KINDS.edit
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
