import { Suspense } from 'react'
import { AgainFrom } from '../../lib/again-from.tsx'
import { part } from '../../lib/browser/part.tsx'
import { clockTime } from '../../lib/time/date-locale.ts'
import { whyText } from '../../lib/why-text.ts'
import { Dialog } from '../../ui/dialog.tsx'
import type { LivePageState } from './live-page-state.ts'
import { useLiveState } from './use-live-session.ts'

const AiredRequest = part(async () => (await import('../../lib/requests/aired-request.tsx')).AiredRequest)

/** A dialog that says why the current programme is on: by the schedule, or by the channel's list of videos. */
export function WhyPanel({ page }: { page: LivePageState }) {
  const { programme, selected } = useLiveState(page.session)
  const onAir = page.programmes?.find(({ id }) => id === programme?.id)
  return (
    <Dialog title="Why is this on?" isOpen onClose={page.closePanel} width="narrow">
      {selected ? (
        <p>You chose this video. It plays only for you.</p>
      ) : page.youtube.isReplaced ? (
        <p>YouTube cannot be reached from this network. The Test Card is shown instead, only to you.</p>
      ) : !onAir ? (
        <p>Nothing is on this channel now.</p>
      ) : (
        <div className="grid gap-3">
          <p className="font-semibold wrap-anywhere">
            {onAir.video ? (
              <bdi>{`${onAir.video.title} – ${onAir.video.artistName}`}</bdi>
            ) : (
              'A pause between two videos'
            )}
          </p>
          <p>
            {(onAir.kind === 'video' ? whyText(onAir) : onAir.block?.name) ??
              'It is the next one in the list of this channel, which has no schedule.'}
          </p>
          {onAir.kind === 'video' && onAir.reason?.again && <AgainFrom {...onAir.reason.again} />}
          {onAir.block?.description && <p className="wrap-anywhere text-muted">{onAir.block.description}</p>}
          <p className="text-sm text-muted tabular-nums">
            On since {clockTime(onAir.startsAtMs)}, until {clockTime(onAir.endsAtMs)}. Everyone sees the same.
          </p>
          {page.takesRequests && (
            <Suspense>
              <AiredRequest channelId={page.channelId} programmeId={onAir.id} />
            </Suspense>
          )}
        </div>
      )}
    </Dialog>
  )
}
