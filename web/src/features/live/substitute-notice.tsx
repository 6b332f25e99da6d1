import { useEffect, useState } from 'react'
import { clockTime } from '../../lib/time/clock-time.ts'
import { classNames } from '../../ui/class-names.ts'
import type { LiveSession } from './player/live-session.ts'
import { substituteEndsAtMs } from './player/substitution.ts'
import { useLiveState } from './use-live-session.ts'

/** How long the notice stays when the controls are hidden (ms). */
const SHOWN_MS = 8000

/** Shows the viewer what is played instead of a video that is not available in the viewer's region, and until when. */
export function SubstituteNotice({ session, isActive }: { session: LiveSession; isActive: boolean }) {
  const { programme, substitute } = useLiveState(session)
  const isNew = useIsNew(substitute)
  if (!substitute || !programme?.video) return null
  return (
    <p
      role="status"
      className={classNames(
        'z-20 shrink-0 bg-panel px-4 py-2 text-sm overlay:pointer-events-none overlay:absolute overlay:inset-x-0 overlay:top-20 overlay:mx-auto overlay:w-fit overlay:max-w-[calc(100%-2rem)] overlay:rounded-md overlay:border overlay:border-line overlay:shadow-lift tv:text-base',
        'transition-opacity duration-300',
        !isActive && !isNew && 'overlay:opacity-0',
      )}
    >
      “{programme.video.title}” is not available in your region. Showing “{substitute.title}” until{' '}
      {clockTime(substituteEndsAtMs(programme, substitute))}.
    </p>
  )
}

/** True for some seconds after `value` has changed to another object. */
function useIsNew(value: object | undefined): boolean {
  const [known, setKnown] = useState<object>()
  useEffect(() => {
    if (!value) return
    const timer = setTimeout(() => setKnown(value), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [value])
  return known !== value
}
