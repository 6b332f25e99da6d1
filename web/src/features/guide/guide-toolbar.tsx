import { Link } from 'react-router-dom'
import { paths } from '../../lib/paths.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { dayLabel, GUIDE_DAYS } from './guide-time.ts'

const TEXT = 'shrink-0 whitespace-nowrap text-base tv:text-xl'

/** The day picker and the other actions of the guide. `daysAhead`: the day that is shown. */
export function GuideToolbar(props: {
  nowMs: number
  daysAhead: number
  onDay: (daysAhead: number) => void
  onNow: () => void
  channelId: string
  specialCount: number
  onSpecials: () => void
  onSubscribe: () => void
}) {
  const { nowMs, daysAhead, onDay } = props
  return (
    <div className="flex min-w-0 shrink-0 items-center gap-1 overflow-x-auto border-t border-line px-3 py-1.5 scrollbar-none guide-side:mr-13 guide-side:border-t-0 guide-wide:px-5">
      <p
        aria-hidden="true"
        className="mr-4 hidden shrink-0 text-xl font-semibold guide-wide:block tv:text-2xl"
      >
        TV Guide
      </p>
      <fieldset aria-label="Day" className="flex shrink-0 gap-1 rounded-md bg-deep p-1">
        {Array.from({ length: GUIDE_DAYS }, (_, ahead) => (
          <button
            key={String(ahead)}
            type="button"
            aria-pressed={ahead === daysAhead}
            onClick={() => onDay(ahead)}
            className={classNames(
              TEXT,
              'min-h-9 rounded-sm px-3 font-semibold transition-colors focus-visible:-outline-offset-3',
              ahead === daysAhead ? 'bg-raised text-text' : 'text-muted hover:text-text',
            )}
          >
            {dayLabel(nowMs, ahead)}
          </button>
        ))}
      </fieldset>
      <Button className={classNames(TEXT, 'ml-1')} icon="clock" onClick={props.onNow}>
        Now
      </Button>
      <span className="flex-1" />
      <Link to={paths.history({ channel: props.channelId })} className={buttonClass('plain', TEXT)}>
        What was on
      </Link>
      {props.specialCount > 0 && (
        <Button tone="plain" className={TEXT} onClick={props.onSpecials}>
          Coming up ({props.specialCount})
        </Button>
      )}
      <Button tone="plain" className={TEXT} onClick={props.onSubscribe}>
        Subscribe
      </Button>
    </div>
  )
}
