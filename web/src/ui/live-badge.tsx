import { classNames } from './class-names.ts'

/** The red LIVE badge; `isLarge` where it is read from a sofa, as in the guide: at least 24 px on a TV. */
export function LiveBadge({ isLarge = false, className }: { isLarge?: boolean; className?: string }) {
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1.5 rounded-sm bg-live px-2 py-0.5 font-bold tracking-wider text-on-live',
        isLarge ? 'text-base tv:text-2xl' : 'text-xs',
        className,
      )}
    >
      <span aria-hidden="true" className="size-1.5 rounded-full bg-on-live" />
      LIVE
    </span>
  )
}
