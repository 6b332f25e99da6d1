import type { LogChange, LogEditResult } from '@looptide/contracts/http/log'
import type { ReactNode } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { exactTimeIn } from '../model/zoned-time.ts'
import { BREACH_TEXTS, effectSummary } from './log-texts.ts'

/** What an edit of the log changes: the programmes that move, the rules it breaks, what is cut short, what stays. */
export function EffectDetails({ effect, timeZone }: { effect: LogEditResult; timeZone: string }) {
  const { changes, changesCount, breaches, cuts, hardStarts } = effect
  const at = (instant: string) => exactTimeIn(timeZone, Date.parse(instant))
  return (
    <div className="grid gap-4 text-sm">
      <Part title={effectSummary(effect)}>
        {changes.length > 0 && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reached by keyboard (WCAG 2.1.1).
          <ol tabIndex={0} aria-label="Changes" className={BOX}>
            {changes.map((change) => (
              <ChangeLine key={keyOfChange(change)} change={change} at={at} />
            ))}
            {changesCount > changes.length && (
              <li className="px-3 py-2 text-muted">And {changesCount - changes.length} later programmes.</li>
            )}
          </ol>
        )}
      </Part>
      <Part title="Rules">
        {breaches.length === 0 ? (
          <p className="text-muted">No rule is broken.</p>
        ) : (
          <ul aria-label="Broken rules" className="grid gap-1">
            {breaches.map(({ rule, startsAt, title, artistName }) => (
              <li key={`${startsAt} ${rule}`} className="font-medium wrap-anywhere">
                <span aria-hidden="true">⚠ </span>
                {at(startsAt)} {title}, {artistName}: {BREACH_TEXTS[rule]}
              </li>
            ))}
          </ul>
        )}
      </Part>
      {cuts.length > 0 && (
        <Part title="Cut short for an exact start">
          <ul aria-label="Cut short" className="grid gap-1">
            {cuts.map(({ startsAt, title }) => (
              <li key={startsAt} className="wrap-anywhere">
                {at(startsAt)} {title}
              </li>
            ))}
          </ul>
        </Part>
      )}
      {hardStarts.length > 0 && (
        <Part title="Exact starts that stay">
          <ul aria-label="Exact starts" className="grid gap-1">
            {hardStarts.map(({ name, startsAt }) => (
              <li key={startsAt} className="wrap-anywhere">
                {at(startsAt)} {name}
              </li>
            ))}
          </ul>
        </Part>
      )}
    </div>
  )
}

const BOX =
  'max-h-64 divide-y divide-line/50 overflow-y-auto overscroll-contain rounded-md border border-line/70 bg-deep'

const keyOfChange = ({ startsAt, previousStart, title }: LogChange): string =>
  `${startsAt} ${previousStart} ${title}`

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-1.5">
      <h3 className="font-semibold">{title}</h3>
      {children}
    </section>
  )
}

/** One programme of the effect: its time now and after, or that it is new or leaves. */
function ChangeLine({ change, at }: { change: LogChange; at: (instant: string) => string }) {
  const { startsAt, previousStart, title, artistName } = change
  const isGone = startsAt === null
  return (
    <li className="grid gap-x-3 px-3 py-1.5 sm:grid-cols-[13rem_minmax(0,1fr)]">
      <span className="tabular-nums">
        {previousStart && (
          <span className="text-muted">
            <span className="sr-only">Was </span>
            {at(previousStart)}
          </span>
        )}
        {startsAt && previousStart && <span aria-hidden="true"> → </span>}
        {startsAt ? (
          <span className="font-medium">
            {previousStart && <span className="sr-only">, now </span>}
            {at(startsAt)}
            {!previousStart && ' new'}
          </span>
        ) : (
          ' leaves'
        )}
      </span>
      <span className={classNames('min-w-0 wrap-anywhere', isGone && 'text-muted line-through')}>
        {title} <span className="text-muted">{artistName}</span>
      </span>
    </li>
  )
}
