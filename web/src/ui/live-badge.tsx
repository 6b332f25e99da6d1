import { classNames } from './class-names.ts'

/** The red LIVE badge. */
export function LiveBadge({ className }: { className?: string }) {
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1.5 rounded-sm bg-live px-2 py-0.5 text-xs font-bold tracking-wider text-on-live',
        className,
      )}
    >
      <span aria-hidden="true" className="size-1.5 rounded-full bg-on-live" />
      LIVE
    </span>
  )
}
